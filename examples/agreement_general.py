"""Text of the sample supply agreement, articles 7 to 16 and the signatures, in the markup that `press.py` sets."""

GENERAL = """
# 7. Liability and insurance

## 7.1 Liability that is not limited

Nothing in this Agreement limits or excludes the liability of a Party for:

- (a) death or personal injury caused by its negligence;

- (b) fraud, fraudulent misrepresentation or wilful misconduct;

- (c) breach of Article 6 (Confidentiality); or

- (d) any liability that cannot be limited by law.

## 7.2 Liability cap

Subject to Section 7.1, the total aggregate liability of either Party arising out of or in connection with this
Agreement, whether in contract, tort (including negligence) or otherwise, shall not exceed EUR~2,500,000 per Contract
Year.

## 7.3 Excluded losses

Subject to Section 7.1, neither Party is liable for loss of profit, loss of goodwill or any indirect or consequential
loss. Credits under Section 3.4.2 and Schedule 2 count towards the limit in Section 7.2.

## 7.4 Insurance

### 7.4.1 Cover

The Supplier shall maintain, throughout the Term and for two (2) years after it, product and public liability
insurance with a limit of EUR~5,000,000 for any one claim.

### 7.4.2 Evidence of cover

The Supplier shall send the Buyer a certificate of insurance within ten (10) Business Days of each renewal of the
policy.

# 8. Non-compete and non-solicitation

## 8.1 Non-compete

During the Term and for a period of twenty-four (24) months after the termination or expiry of this Agreement, the
Supplier shall not, directly or through an Affiliate, manufacture or sell Competing Products to any household
appliance manufacturer within the Territory.

## 8.2 Exceptions to the non-compete

Section 8.1 does not apply to:

- (a) the customers listed in Schedule 1, Part C, to the extent of their business with the Supplier at the Effective
Date; and

- (b) a holding of not more than five per cent (5~%) of the shares of a company whose shares are listed on a regulated
market.

## 8.3 Non-solicitation

During the Term and for twelve (12) months after it, neither Party shall solicit for employment any employee of the
other who was involved in the performance of this Agreement. General advertisements are not a breach of this Section.

# 9. Data protection

## 9.1 Processing of Personal Data

Where a Party processes Personal Data on behalf of the other, it shall do so only on documented instructions, keep the
data secure by appropriate technical and organisational measures, and impose the same duties on every sub-processor.

## 9.2 Data breach

### 9.2.1 Time of notification

A Party that becomes aware of a Data Breach shall notify the other in writing without undue delay and in any event
within seventy-two (72) hours after becoming aware of it. Where the Data Breach affects more than five hundred (500)
individuals, the period is twenty-four (24) hours.

### 9.2.2 Content of the notification

The notification shall describe the nature of the Data Breach, the categories and the approximate number of
individuals and records concerned, its likely consequences, and the measures taken or proposed.

## 9.3 Cost of a Data Breach

If the Data Breach results from a failure of a Party to meet its duties under this Article 9, that Party shall bear
the reasonable cost of informing the individuals concerned and of restoring the data.

# 10. Records and audit rights

## 10.1 Records

The Supplier shall keep complete and accurate records of the manufacture, testing and delivery of the Products for six
(6) years from the end of the Contract Year to which they relate.

## 10.2 Audit

### 10.2.1 Right to audit

The Buyer may, not more than once in each Contract Year and on at least fifteen (15) Business Days' written notice,
audit the Supplier's records, premises and processes to the extent that they concern the Products. The Buyer may
appoint an independent auditor who is bound by a duty of confidence.

### 10.2.2 Cost of the audit

The Buyer shall bear the cost of the audit, unless the audit shows an overcharge of more than two per cent (2~%) of
the amounts invoiced in the period audited, in which case the Supplier shall bear it and refund the overcharge.

# 11. Force majeure

## 11.1 Relief

A Party is not liable for a failure or delay in performance caused by an event beyond its reasonable control that it
could not have foreseen or avoided, including natural disaster, epidemic, war, embargo and failure of public utilities
(a "Force Majeure Event"). Shortage of labour or of raw materials that affects that Party alone is not a Force Majeure
Event.

## 11.2 Notice and mitigation

The Party affected shall notify the other within three (3) Business Days of the start of the Force Majeure Event,
shall state its likely duration, and shall use all reasonable efforts to limit its effects.

# 12. Assignment and subcontracting

## 12.1 Assignment

Neither Party may assign or transfer any right or obligation under this Agreement without the prior written consent of
the other, which shall not be unreasonably withheld. The Buyer may, however, assign this Agreement to an Affiliate by
written notice without consent.

## 12.2 Subcontracting

The Supplier may subcontract the manufacture of parts but not the final assembly or testing of a Product. The Supplier
is liable for its subcontractors as for itself.

# 13. Termination

## 13.1 Termination for cause

Either Party may terminate this Agreement with immediate effect by written notice to the other Party upon the
occurrence of any of the following six events in relation to the other Party:

- (a) a material breach of this Agreement that cannot be remedied, or that is not remedied within forty-five (45) days
of a written notice requiring its remedy;

- (b) an Insolvency Event;

- (c) failure to pay an undisputed amount of more than EUR~100,000 for more than sixty (60) days after its due date;

- (d) a change of control by which a competitor of the terminating Party acquires more than fifty per cent (50~%) of
the voting rights;

- (e) a Force Majeure Event that lasts for more than six (6) consecutive months; and

- (f) loss of a licence or permit without which the other Party cannot lawfully perform this Agreement.

## 13.2 Termination for convenience

The Buyer may terminate this Agreement at any time after the second Contract Year on not less than one hundred and
eighty (180) days' written notice. The Supplier has no right to terminate for convenience.

## 13.3 Consequences of termination

### 13.3.1 Orders in progress

The Supplier shall complete, and the Buyer shall pay for, every Order accepted before the date of termination, unless
the Party that terminated for cause elects otherwise in its notice.

### 13.3.2 Last-time buy

Within thirty (30) days of a notice of termination or non-renewal the Buyer may place one last Order for up to six (6)
months of its average requirements at the Unit Prices then in force.

### 13.3.3 Return of materials

Each Party shall return or destroy the tools, drawings and Confidential Information of the other within twenty (20)
Business Days of the end of this Agreement.

## 13.4 Surviving provisions

Articles 6, 7, 8 and 16 and Sections 5.1, 10.1 and 13.3 survive the end of this Agreement, each for the period that it
states or that its purpose requires.

# 14. Notices

## 14.1 Form of notices

A notice under this Agreement shall be in writing and in English and shall be delivered by hand, by registered post or
by courier to the address below, with a copy by email. An email alone is not valid notice.

[[table notices]]

## 14.2 Time of receipt

A notice is deemed received on delivery by hand or by courier, and on the third Business Day after posting by
registered post.

# 15. General provisions

## 15.1 Entire agreement

This Agreement, with its Schedules, is the entire agreement between the Parties on its subject and replaces all
earlier negotiations, letters of intent and agreements, including the memorandum of understanding of
12~September~2023.

## 15.2 Amendments

No amendment of this Agreement, including of this Section 15.2, is valid unless it is in writing, refers to this
Agreement and is signed by both Parties.

## 15.3 Waiver and severability

A delay in exercising a right is not a waiver of it. If a provision is invalid, the others remain in force and the
Parties shall replace the invalid provision by a valid one that comes closest to its purpose.

## 15.4 Independent parties

Nothing in this Agreement creates a partnership, an agency or a relationship of employment between the Parties.

## 15.5 Counterparts

This Agreement may be signed in any number of counterparts, including by qualified electronic signature, each of which
is an original and all of which together are one instrument.

# 16. Governing law and disputes

## 16.1 Governing law

This Agreement, and any non-contractual obligation arising out of it, is governed by the laws of Ireland. The United
Nations Convention on Contracts for the International Sale of Goods does not apply.

## 16.2 Escalation

The Parties shall first try to settle a dispute by negotiation between their Managing Directors, who shall meet within
fifteen (15) Business Days of a written request by either Party.

## 16.3 Jurisdiction

The courts of Ireland have exclusive jurisdiction over any dispute that has not been settled under Section 16.2 within
thirty (30) days of the request. Either Party may seek interim relief in any competent court.

[[page]]

# Signature page

The Parties have signed this Agreement on the dates stated below. It takes effect on the Effective Date, whatever the
date of signature.

[[signatures]]
"""
