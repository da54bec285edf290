"""A sample of ordinary office prose, sixty lines a language: a term found all over it tells nothing about a topic.

Written for this purpose: letters, minutes, reports and notices about nothing in particular, with the words that any
document has (date, company, service, party, agreement, year, amount, information).
"""

from __future__ import annotations

_ENGLISH = """
Thank you for your letter of last week and for the information that you sent with it.
The company has offices in three cities and about two hundred people work there.
We would like to arrange a meeting with you and your team before the end of the month.
Please let us know which date suits you and whether the usual time is convenient.
The report covers the work done during the year and the plans for the next one.
All members of the group were present, and the minutes of the last meeting were approved.
The first part of the document describes the history of the project and its main results.
Each section begins with a short summary, followed by the details and a table of figures.
The following page lists the names of the persons who took part in the study.
In the case of any question, please contact the office at the number given below.
The service is available on working days from nine in the morning to six in the evening.
Customers may use the online form to send a request or to ask for further information.
The amount shown in the table is the total for the period, including all items.
The parties agreed to meet again in the spring and to review the state of the matter.
A copy of this document is kept in the records of the company and may be seen on request.
The board took note of the report and asked the management to provide more data.
The building was finished in the year 2010 and has been in use since then.
There are several ways to reach the site, by train, by bus or on foot.
The product is sold in most countries of the region under the same name.
The new system will replace the old one and should make the work easier for everyone.
It is important that all employees read the notice and follow the rules set out in it.
The person in charge will inform the other members as soon as the results are known.
The price of the product has not changed since the beginning of the year.
The agreement between the two cities has been in place for many years.
Under this agreement the groups share the costs of the events that they hold together.
The contract for the work on the roof was given to a local business.
Payment was made by the customer on the day on which the goods arrived.
The rights and duties of members are described in the rules of the association.
The law requires that such events be announced in time and in a public place.
The terms used in this report are explained at the end, in alphabetical order.
The data in the second table come from the public register and were checked twice.
The value of the property has grown over time, although the market has been slow.
Our business depends on the trust of the people who use our services every day.
The committee may change the order of the items and add new ones where it sees a need.
Any person who wishes to speak should give his or her name to the secretary.
The results of the first half were better than expected, and sales rose in all regions.
The project was divided into three parts, each with its own budget and its own plan.
The notice must be placed where it can be seen and must not be removed before the end of the event.
The company shall provide each visitor with a map and a list of the rooms.
Such use of the rooms is subject to the consent of the owner and to the rules of the house.
The team changed the process so that each step is recorded and can be checked later.
The current version of the form is the one that carries the date of this year.
The use of the car park is free for visitors during the opening hours.
The customer received an answer within two days and was content with the service.
The information given here is of a general kind and is not meant as advice.
The number of visitors was higher than in the year before, mainly in the summer.
The management would like to thank all employees for their work in a difficult year.
The list of items is long, so only the main ones are named in this section.
Where a page is missing, please ask the office for a new copy of the whole document.
The office will be closed on public holidays and on the last day of the year.
The general conditions of the market were good, and most companies made a profit.
A new account can be opened in a few minutes; the only thing needed is an address.
The account of the events given by the witness differs in some points from the others.
The owner of the house and the tenant agreed on the colour of the walls.
The risk of rain was small, and so the party was held in the garden.
The effect of the change on the results of the group as a whole is small.
The second group will begin its work on the first day of the month, after the training.
The purpose of the visit was to see how the product is made and tested.
The matter was discussed at length, and no decision was reached at that time.
Yours sincerely, on behalf of the whole team and with our best wishes for the coming year.
"""
_SPANISH = """
Le agradecemos su carta de la semana pasada y la información que nos envió con ella.
La empresa tiene oficinas en tres ciudades y en ellas trabajan unas doscientas personas.
Nos gustaría celebrar una reunión con usted y su equipo antes de fin de mes.
Le rogamos que nos indique qué fecha le conviene y si la hora habitual le parece bien.
El informe recoge el trabajo realizado durante el año y los planes para el siguiente.
Asistieron todos los miembros del grupo y se aprobó el acta de la última reunión.
La primera parte del documento describe la historia del proyecto y sus principales resultados.
Cada sección comienza con un breve resumen, seguido de los detalles y de una tabla de cifras.
En la página siguiente figuran los nombres de las personas que participaron en el estudio.
En caso de duda, puede ponerse en contacto con la oficina en el número indicado más abajo.
El servicio está disponible los días laborables de nueve de la mañana a seis de la tarde.
Los clientes pueden utilizar el formulario para enviar una solicitud o pedir más información.
El importe que figura en la tabla es el total del periodo, incluidas todas las partidas.
Las partes acordaron reunirse de nuevo en primavera para revisar el estado del asunto.
Una copia de este documento se conserva en los archivos de la empresa y puede consultarse.
El consejo tomó nota del informe y pidió a la dirección que aportara más datos.
El edificio se terminó en el año 2010 y desde entonces se encuentra en uso.
Hay varias formas de llegar al lugar, en tren, en autobús o a pie.
El producto se vende en la mayoría de los países de la región con el mismo nombre.
El nuevo sistema sustituirá al antiguo y debería facilitar el trabajo de todos.
Es importante que todos los empleados lean el aviso y cumplan las normas que contiene.
La persona responsable informará a los demás miembros en cuanto se conozcan los resultados.
El precio del producto no ha cambiado desde el comienzo del año.
El acuerdo entre las dos ciudades está en vigor desde hace muchos años.
Según este acuerdo, los grupos comparten los gastos de los actos que organizan juntos.
El contrato para las obras del tejado se adjudicó a una empresa local.
El cliente hizo el pago el mismo día en que llegaron los bienes.
Los derechos y deberes de los miembros se describen en las normas de la asociación.
La ley exige que estos actos se anuncien con tiempo y en un lugar público.
Los términos empleados en este informe se explican al final, por orden alfabético.
Los datos de la segunda tabla proceden del registro público y se comprobaron dos veces.
El valor de la propiedad ha crecido con el tiempo, aunque el mercado ha sido lento.
Nuestro negocio depende de la confianza de las personas que usan nuestros servicios cada día.
El comité puede cambiar el orden de los puntos y añadir otros cuando lo considere necesario.
Toda persona que desee hablar deberá dar su nombre a la secretaría.
Los resultados del primer semestre fueron mejores de lo previsto y las ventas subieron.
El proyecto se dividió en tres partes, cada una con su presupuesto y su plan.
El aviso debe colocarse donde pueda verse y no debe retirarse antes del final del acto.
La empresa entregará a cada visitante un plano y una lista de las salas.
El uso de las salas está sujeto al consentimiento del propietario y a las normas de la casa.
El equipo cambió el proceso para que cada paso quede registrado y pueda comprobarse después.
La versión actual del formulario es la que lleva la fecha de este año.
El uso del aparcamiento es gratuito para los visitantes durante el horario de apertura.
El cliente recibió una respuesta en dos días y quedó contento con el servicio.
La información que aquí se ofrece es de carácter general y no constituye un consejo.
El número de visitantes fue mayor que el año anterior, sobre todo en verano.
La dirección quiere dar las gracias a todos los empleados por su trabajo en un año difícil.
La lista es larga, por lo que en esta sección solo se nombran los puntos principales.
Si falta una página, pida a la oficina una nueva copia de todo el documento.
La oficina permanecerá cerrada los días festivos y el último día del año.
Las condiciones generales del mercado fueron buenas y la mayoría de las empresas ganó dinero.
Se puede abrir una cuenta nueva en pocos minutos; lo único que hace falta es una dirección.
El relato de los hechos que dio el testigo difiere en algunos puntos de los demás.
El dueño de la casa y el inquilino acordaron el color de las paredes.
El riesgo de lluvia era pequeño, por lo que la fiesta se celebró en el jardín.
El efecto del cambio sobre los resultados del grupo en su conjunto es pequeño.
El segundo grupo comenzará su trabajo el primer día del mes, después de la formación.
El objeto de la visita era ver cómo se fabrica y se prueba el producto.
El asunto se discutió largamente y en ese momento no se tomó ninguna decisión.
Atentamente, en nombre de todo el equipo y con nuestros mejores deseos para el próximo año.
"""
_FRENCH = """
Nous vous remercions de votre lettre de la semaine dernière et des informations jointes.
La société possède des bureaux dans trois villes et environ deux cents personnes y travaillent.
Nous souhaiterions organiser une réunion avec vous et votre équipe avant la fin du mois.
Merci de nous indiquer la date qui vous convient et si l'heure habituelle vous arrange.
Le rapport présente le travail accompli pendant l'année et les projets pour la suivante.
Tous les membres du groupe étaient présents et le compte rendu précédent a été approuvé.
La première partie du document décrit l'histoire du projet et ses principaux résultats.
Chaque section commence par un bref résumé, suivi des détails et d'un tableau de chiffres.
La page suivante donne les noms des personnes qui ont participé à l'étude.
En cas de question, vous pouvez joindre le bureau au numéro indiqué ci-dessous.
Le service est ouvert les jours ouvrables de neuf heures du matin à six heures du soir.
Les clients peuvent utiliser le formulaire pour envoyer une demande ou obtenir des informations.
Le montant indiqué dans le tableau est le total de la période, tous postes compris.
Les parties sont convenues de se revoir au printemps pour faire le point de l'affaire.
Une copie de ce document est conservée dans les archives de la société et peut être consultée.
Le conseil a pris acte du rapport et a demandé à la direction de fournir plus de données.
Le bâtiment a été achevé en 2010 et il est utilisé depuis cette année.
Il y a plusieurs façons de se rendre sur le site, en train, en bus ou à pied.
Le produit est vendu dans la plupart des pays de la région sous le même nom.
Le nouveau système remplacera l'ancien et devrait faciliter le travail de tous.
Il est important que tous les employés lisent l'avis et respectent les règles qu'il contient.
La personne responsable informera les autres membres dès que les résultats seront connus.
Le prix du produit n'a pas changé depuis le début de l'année.
L'accord entre les deux villes existe depuis de nombreuses années.
Selon cet accord, les groupes partagent les frais des événements qu'ils organisent ensemble.
Le contrat pour les travaux du toit a été confié à une entreprise locale.
Le client a effectué le paiement le jour où les biens sont arrivés.
Les droits et les devoirs des membres sont décrits dans les règles de l'association.
La loi exige que de tels événements soient annoncés à temps et dans un lieu public.
Les termes employés dans ce rapport sont expliqués à la fin, par ordre alphabétique.
Les données du second tableau proviennent du registre public et ont été vérifiées deux fois.
La valeur de la propriété a augmenté avec le temps, bien que le marché ait été lent.
Notre activité dépend de la confiance des personnes qui utilisent nos services chaque jour.
Le comité peut changer l'ordre des points et en ajouter lorsqu'il le juge nécessaire.
Toute personne qui souhaite prendre la parole doit donner son nom au secrétariat.
Les résultats du premier semestre ont été meilleurs que prévu et les ventes ont augmenté.
Le projet a été divisé en trois parties, chacune avec son budget et son plan.
L'avis doit être placé bien en vue et ne doit pas être retiré avant la fin de l'événement.
La société remettra à chaque visiteur un plan et une liste des salles.
L'utilisation des salles est soumise au consentement du propriétaire et aux règles de la maison.
L'équipe a modifié le processus afin que chaque étape soit enregistrée et puisse être vérifiée.
La version actuelle du formulaire est celle qui porte la date de cette année.
L'utilisation du parking est gratuite pour les visiteurs pendant les heures d'ouverture.
Le client a reçu une réponse en deux jours et s'est montré content du service.
Les informations données ici sont d'ordre général et ne constituent pas un conseil.
Le nombre de visiteurs a été plus élevé que l'année précédente, surtout en été.
La direction tient à remercier tous les employés de leur travail dans une année difficile.
La liste est longue, si bien que seuls les points principaux sont nommés dans cette section.
S'il manque une page, demandez au bureau une nouvelle copie de tout le document.
Le bureau sera fermé les jours fériés et le dernier jour de l'année.
Les conditions générales du marché étaient bonnes et la plupart des sociétés ont fait un profit.
Un nouveau compte s'ouvre en quelques minutes ; la seule chose nécessaire est une adresse.
Le récit des faits donné par le témoin diffère des autres sur certains points.
Le propriétaire de la maison et le locataire se sont mis d'accord sur la couleur des murs.
Le risque de pluie était faible, si bien que la fête a eu lieu dans le jardin.
L'effet du changement sur les résultats du groupe dans son ensemble est faible.
Le second groupe commencera son travail le premier jour du mois, après la formation.
L'objet de la visite était de voir comment le produit est fabriqué et testé.
L'affaire a été longuement discutée et aucune décision n'a été prise à ce moment-là.
Cordialement, au nom de toute l'équipe et avec nos meilleurs voeux pour l'année à venir.
"""
PROSE: dict[str, tuple[str, ...]] = {
    "en": tuple(_ENGLISH.strip().split("\n")),
    "es": tuple(_SPANISH.strip().split("\n")),
    "fr": tuple(_FRENCH.strip().split("\n")),
}

# Nouns that any document of any kind holds: alone they name no topic. As the matcher compares them, without accents.
_GENERIC = """
accord acuerdo affaire agreement amount annee ano article articulo asunto avis bureau business cas case caso
chose clause clausula client cliente compania company compte condicion condition contract contrat contrato cosa
cuenta customer data date datos day derecho dia document documento donnees droit efecto effect effet empleado
employe employee empresa entreprise event fait fecha fin form forma forme group groupe grupo hecho importe
informacion information informe item jour law ley list lista liste loi lugar management matter mes mois montant
month name nom nombre norma notice number numero objet objeto office oficina order ordre owner page pagina part
parte partie party people period periode periodo person persona personne place point process product producto
produit project projet property provision proyecto punto purpose rapport regla regle report result resultado
resultat right rule seccion section service servicio sistema sociedad societe state system systeme tabla table
tableau temps term terme termino thing tiempo time title trabajo travail use uso utilisation valeur valor value
version vez way word work year
"""
GENERIC_WORDS = frozenset(_GENERIC.split())
