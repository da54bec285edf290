"""Text of the sample supply agreement, parties, recitals and articles 1 to 6, in the markup that `press.py` sets."""

TERMS = """
# Parties

This Master Supply Agreement (the "Agreement") is made on 12~February~2024 between:

- (1) **Alpha Components Limited**, a company registered in Ireland with its registered office at 1~Example Quay,
Dublin 2 (the "Supplier"); and

- (2) **Beta Appliances Limited**, a company registered in Ireland with its registered office at 20~Sample Street,
Cork (the "Buyer").

# Recitals

- (A) The Supplier develops and manufactures electric motors, pumps and control boards for household appliances.

- (B) The Buyer manufactures household appliances and wishes to obtain a secure supply of such components over several
years.

- (C) The Supplier is willing to reserve capacity and to supply the Products, and the Buyer is willing to purchase
them, on the terms of this Agreement.

The Parties therefore agree as follows.

# 1. Definitions and interpretation

## 1.1 Definitions

In this Agreement the following terms have the meanings set out below.

**"Affiliate"** means any entity that controls, is controlled by or is under common control with a Party, where
control means holding more than fifty per cent (50~%) of the voting rights.

**"Annual Programme Fee"** means the fee for engineering support and reserved capacity stated in Section 4.2.

**"Business Day"** means a day other than a Saturday, a Sunday or a public holiday in Ireland.

**"Buyer"** means Beta Appliances Limited, as described under "Parties" above.

**"Competing Product"** means any electric motor, pump or control board that can replace a Product in a household
appliance without a change to the design of that appliance.

**"Confidential Information"** means all information in any form that one Party discloses to the other in connection
with this Agreement and that is marked as confidential or ought reasonably to be regarded as confidential.

**"Contract Year"** means each period of twelve (12) months that begins on the Effective Date or on an anniversary of
the Effective Date.

**"Data Breach"** means a breach of security leading to the accidental or unlawful destruction, loss, alteration,
unauthorised disclosure of, or access to, Personal Data.

**"Defect"** means any failure of a Product to conform to the Specifications or to the warranty in Section 5.1.

**"Delivery Point"** means the Buyer's warehouse at 8 Example Road, Cork, Ireland.

**"Effective Date"** means 1~March~2024.

**"Force Majeure Event"** has the meaning given in Section 11.1.

**"Initial Term"** has the meaning given in Section 2.1.

**"Insolvency Event"** means that a Party is unable to pay its debts as they fall due, enters into liquidation,
examinership or receivership, or makes a composition with its creditors.

**"Minimum Quantity"** means, for each Product, the number of units stated in Schedule 1, Part A, that the Buyer
undertakes to order in each Contract Year.

**"Order"** means a written order for Products that the Buyer places under Section 3.3.

**"Party"** means the Supplier or the Buyer, and **"Parties"** means both of them.

**"Personal Data"** means any information relating to an identified or identifiable natural person that a Party
processes on behalf of the other in connection with this Agreement.

**"Products"** means the goods listed in Schedule 1, Part A.

**"Rolling Forecast"** means the forecast described in Section 3.2.1.

**"Service Levels"** means the levels of performance set out in Schedule 2.

**"Specifications"** means the technical specifications of the Products that both Parties have signed, as amended from
time to time in writing.

**"Supplier"** means Alpha Components Limited, as described under "Parties" above.

**"Term"** means the Initial Term together with every renewal under Section 2.2.

**"Territory"** means Ireland, France, Germany, Spain and Portugal.

**"Unit Price"** means, for each Product, the price per unit in euro stated in Schedule 1, Part A.

## 1.2 Interpretation

Headings are for convenience only and do not affect the interpretation of this Agreement. A reference to a Section or
a Schedule is to a section of, or a schedule to, this Agreement. The words "including" and "in particular" do not
limit what precedes them. All amounts are in euro (EUR).

## 1.3 Order of precedence

If there is a conflict between the documents that make up this Agreement, the following order of precedence applies:

- (a) any written amendment signed by both Parties, the most recent first;

- (b) the Sections of this Agreement;

- (c) the Schedules; and

- (d) the Orders.

# 2. Term and renewal

## 2.1 Initial Term

This Agreement takes effect on the Effective Date and continues for an initial term of five (5) years from the
Effective Date (the "Initial Term"), unless it is terminated earlier in accordance with Article 13.

## 2.2 Renewal

On expiry of the Initial Term this Agreement is renewed for successive periods of one (1) year each, unless either
Party gives the other written notice of non-renewal at least ninety (90) days before the end of the Initial Term or of
the renewal period then running.

# 3. Supply and forecasts

## 3.1 Supply of Products

During the Term the Supplier shall manufacture and sell the Products to the Buyer, and the Buyer shall purchase the
Products from the Supplier, on the terms of this Agreement. General conditions of sale or purchase of either Party do
not apply, even where they are printed on an Order, an acknowledgement or an invoice.

## 3.2 Forecasts

### 3.2.1 Rolling Forecast

On or before the fifth Business Day of each calendar month the Buyer shall send the Supplier a forecast, by Product
and by month, of its requirements for the following twelve (12) months.

### 3.2.2 Binding months

The first three (3) months of each Rolling Forecast are binding. The remaining nine (9) months are an estimate given
in good faith and create no obligation to buy.

### 3.2.3 Reserved capacity

The Supplier shall keep available the capacity needed to make at least one hundred and twenty per cent (120~%) of the
quantities in the binding months.

## 3.3 Orders

### 3.3.1 Placing of Orders

The Buyer shall place each Order by electronic data interchange or by email, stating the Product code, the quantity
and the requested date of delivery. No Order may be for less than one full pallet of a Product.

### 3.3.2 Acceptance

The Supplier shall accept every Order that is within the binding months of the Rolling Forecast. An Order is deemed
accepted unless the Supplier objects in writing within two (2) Business Days of receipt.

## 3.4 Delivery

### 3.4.1 Delivery term

The Supplier shall deliver the Products DAP (Incoterms 2020) at the Delivery Point. Title and risk pass to the Buyer
on completion of unloading. Packing, marking and the hours of delivery are set out in Schedule 3.

### 3.4.2 Late delivery

If a delivery is late for reasons within the Supplier's control, the Buyer is entitled to a credit of one per cent
(1~%) of the price of the delayed Products for each full week of delay, up to ten per cent (10~%) of that price.

## 3.5 Exclusivity

The Supplier shall not sell the Products to any third party for use in household appliances in the Territory during
the Initial Term. The Buyer is not bound to buy the Products from the Supplier alone, provided that it orders the
Minimum Quantity of each Product.

# 4. Fees and payment

## 4.1 Unit Prices

The Buyer shall pay the Unit Price for each Product delivered. The fees that are payable in addition to the Unit
Prices are listed in Table 1. Units supplied as samples are free of charge within the limit stated in the note
below.{The Supplier provides up to two hundred (200) sample units free of charge in each Contract Year. Sample units
do not count towards the Minimum Quantity.}

[[table fees]]

## 4.2 Annual Programme Fee

The Buyer shall pay the Supplier an Annual Programme Fee of EUR~1,250,000 per Contract Year. The fee is payable in
four equal quarterly instalments, each invoiced on the first Business Day of the calendar quarter.

## 4.3 Invoices and payment

### 4.3.1 Payment term

The Supplier shall issue an invoice on or after each delivery. Each invoice is due and payable within thirty (30) days
of its receipt by the Buyer.

### 4.3.2 Disputed invoices

If the Buyer disputes an invoice in good faith, it shall tell the Supplier the reasons within ten (10) Business Days
of receipt and pay the undisputed part when due. The Parties shall try to settle the dispute as set out in Section
16.2.

### 4.3.3 Late payment

An amount that is not paid when due bears interest from the due date until payment at the rate of four per cent (4~%)
per annum above the main refinancing rate of the European Central Bank.

## 4.4 Price adjustment

Unit Prices are fixed for the first two (2) Contract Years. Afterwards they may be adjusted once in each Contract Year
in line with the producer price index for electrical equipment published by Eurostat. No single adjustment may exceed
three per cent (3~%) of the Unit Price in force.

## 4.5 Taxes

All prices and fees are exclusive of value added tax, which the Buyer shall pay in addition where it is due and upon
receipt of a valid tax invoice.

# 5. Quality and warranties

## 5.1 Product warranty

The Supplier warrants that for a period of eighteen (18) months from delivery each Product is free from defects in
design, material and workmanship, conforms to the Specifications, and complies with the law in force in the Territory.

## 5.2 Defective Products

### 5.2.1 Notice of Defects

The Buyer shall inspect the Products as set out in Schedule 3 and shall notify the Supplier of a Defect within fifteen
(15) Business Days of the day on which it discovered the Defect or ought to have discovered it.

### 5.2.2 Remedies

The Supplier shall, at the Buyer's choice, repair or replace the defective Product within twenty (20) Business Days or
refund its price. The Supplier shall bear the reasonable cost of transport, sorting and removal.

## 5.3 Recall

If a Defect may endanger persons, each Party shall inform the other without delay and the Parties shall agree on the
measures to be taken. The Supplier shall bear the reasonable cost of a recall to the extent that the Defect caused it.

# 6. Confidentiality

## 6.1 Duty of confidence

Each Party shall keep the Confidential Information of the other secret, shall use it only for the performance of this
Agreement, and shall disclose it only to those employees, Affiliates, auditors and professional advisers who need to
know it and are bound by equivalent duties.

## 6.2 Exceptions

Section 6.1 does not apply to information that is or becomes public other than by breach of this Agreement, that the
recipient already knew or developed independently, or that must be disclosed by law or by order of a competent
authority, provided that the recipient gives prior notice where that is lawful.

## 6.3 Survival

The duties in this Article 6 survive expiry or termination of this Agreement for a period of seven (7) years.
"""
