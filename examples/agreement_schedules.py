"""Schedules of the sample supply agreement and all its tables, in the markup that `press.py` sets."""

from blocks import TableSpec

SCHEDULES = """
[[page]]

# Schedule 1: Products and fees

## Part A: Products

The Unit Prices and Minimum Quantities below apply from the Effective Date and may be adjusted only under Section 4.4.

[[table products]]

## Part B: Volume rebate

The Supplier shall grant the Buyer the following rebate on the Unit Prices invoiced in a Contract Year. The rebate is
credited within forty (40) Business Days of the end of the Contract Year.

[[table rebates]]

## Part C: Excepted customers

For the purposes of Section 8.2, the following customers of the Supplier are excepted from the non-compete, to the
extent of the business described:

- (a) Gamma Laundry Systems Limited: drive motors for industrial washing machines;

- (b) Delta Kitchen Equipment Limited: control boards for commercial ovens; and

- (c) Epsilon Spare Parts Limited: spare parts for appliances no longer in production.

[[page]]

# Schedule 2: Service levels

## Part A: Measured levels

The Supplier shall meet the Service Levels in Table 4. Each is measured by calendar month and reported to the Buyer by
the fifth Business Day of the following month.

[[table levels]]

## Part B: Service credits

If a Service Level is missed, the Buyer is entitled to the credit stated in Table 4, calculated on the Unit Prices of
the Products delivered in the month concerned. Credits for one month shall not exceed eight per cent (8~%) of those
prices. If the same Service Level is missed in three (3) consecutive months, the Supplier shall submit a corrective
action plan within ten (10) Business Days.

## Part C: Review meetings

The Parties shall meet once in each calendar quarter to review the Service Levels, the Rolling Forecast and the open
actions. The Supplier shall circulate minutes within five (5) Business Days of each meeting.

[[page]]

# Schedule 3: Quality and delivery rules

[[columns 2]]

## Part A: Quality

**1. Quality system.** The Supplier shall maintain a quality management system certified to ISO 9001 at each site at
which Products are made, and shall send the Buyer a copy of each new certificate.

**2. First samples.** Before the first delivery of a Product, and after each change of tool, material or site, the
Supplier shall submit first samples with a full measurement report. Series deliveries may start only after the Buyer
has released the samples in writing.

**3. Changes.** The Supplier shall announce every change of design, material, process or site at least six (6) months
in advance. No change may be made without the Buyer's written consent.

**4. Final inspection.** Each lot is inspected before dispatch by a sampling plan to ISO 2859-1, level II, with an
acceptance quality limit of 0.65. The records are kept as set out in Section 10.1.

**5. Traceability.** Each Product bears a code from which the date of manufacture, the line and the lot of the main
materials can be traced for at least ten (10) years.

**6. Incoming inspection.** The Buyer checks deliveries for identity, quantity and visible damage within five (5)
Business Days of receipt. No further inspection on receipt is required; hidden Defects may be notified later in
accordance with Section 5.2.1.

**7. Complaints.** On receipt of a complaint the Supplier shall:

- (a) confirm receipt and take containment measures within one (1) Business Day;

- (b) name the probable cause within five (5) Business Days; and

- (c) close the complaint with proven corrective measures within thirty (30) Business Days.

**8. Defect rate.** The number of defective units must not exceed two hundred and fifty (250) per million delivered
units, measured over a rolling period of three (3) months.

**9. Substances.** Products must comply with the laws of the European Union on hazardous substances. The Supplier
shall provide declarations of conformity on request and at the latest ten (10) Business Days after the request.

## Part B: Delivery

**10. Hours.** Deliveries are accepted at the Delivery Point on Business Days between 07:00 and 15:30. The carrier
shall book a time slot at least one (1) Business Day in advance.

**11. Dispatch advice.** The Supplier shall send an electronic dispatch advice for each consignment before the lorry
leaves the Supplier's premises.

**12. Packing.** Products are packed in returnable containers of the Buyer. If these are not available in time, the
Supplier may use one-way packing after informing the Buyer. Each container holds units of one lot only.

**13. Pallets.** Pallets measure 1,200 by 800 millimetres, are loaded to a height of not more than 1,050 millimetres
and weigh not more than 600 kilograms.

**14. Labels.** Each container bears a label with the Product code, the lot, the quantity and the number of the Order,
in plain text and as a two-dimensional code.

**15. Safety stock.** The Supplier shall hold a safety stock of finished Products equal to fifteen (15) Business Days
of the average requirements in the binding months of the Rolling Forecast. The stock is rotated so that the oldest
units are dispatched first.

**16. Emergency supply.** If a delivery is at risk, the Supplier shall inform the Buyer at once and shall use express
freight at its own cost where the delay is due to reasons within its control.

**17. Empty containers.** The Buyer makes empty containers available for collection within ten (10) Business Days of
unloading. The Supplier cleans them before reuse and reports losses once in each calendar quarter.

**18. Storage.** Products are stored dry, protected from frost and at a temperature of not more than 40 degrees
Celsius, and are dispatched within six (6) months of manufacture.

## Part C: Information

**19. Contacts.** Each Party names a contact for orders, for logistics and for quality, and announces a change at
least three (3) Business Days in advance.

**20. Monthly report.** With the report under Schedule 2, Part A, the Supplier states the stock of finished Products,
the open Orders and the defect rate of each Product.

**21. End of production.** The Supplier shall announce the end of production of a Product at least eighteen (18)
months in advance and shall propose a successor that meets the Specifications.

**22. Spare parts.** For ten (10) years after the last series delivery of a Product the Supplier shall supply spare
parts on commercially reasonable terms.

**23. Language.** Drawings, reports and labels are in English. A translation is provided on request and for
information only.
"""

TABLES = {
    "fees": TableSpec(
        "Table 1: Fees payable in addition to the Unit Prices",
        (("Fee", 0.30, "left"), ("Amount (EUR)", 0.19, "right"), ("Basis", 0.25, "left"), ("When due", 0.26, "left")),
        (
            ("Annual Programme Fee", "1,250,000", "per Contract Year", "in quarterly instalments"),
            ("Tooling Fee", "480,000", "once", "on release of first samples"),
            ("Expedite Fee", "2,400", "per expedited Order", "with the delivery"),
            ("Storage Fee", "35", "per pallet and month", "monthly in arrears"),
            ("Engineering change", "950", "per engineer and day", "on completion"),
        ),
    ),
    "notices": TableSpec(
        "",
        (
            ("Party", 0.13, "left"),
            ("Address", 0.4, "left"),
            ("For the attention of", 0.23, "left"),
            ("Email", 0.24, "left"),
        ),
        (
            (
                "Supplier",
                "Alpha Components Limited, 1 Example Quay, Dublin 2, Ireland",
                "Company Secretary",
                "legal@alpha.example",
            ),
            (
                "Buyer",
                "Beta Appliances Limited, 20 Sample Street, Cork, Ireland",
                "Head of Procurement",
                "legal@beta.example",
            ),
        ),
    ),
    "products": TableSpec(
        "Table 2: Products, Unit Prices and Minimum Quantities",
        (
            ("Code", 0.13, "left"),
            ("Product", 0.37, "left"),
            ("Unit Price (EUR)", 0.2, "right"),
            ("Minimum Quantity (units per Contract Year)", 0.3, "right"),
        ),
        (
            ("DM-110", "Drive motor, 110 W", "14.20", "60,000"),
            ("DM-250", "Drive motor, 250 W", "21.75", "45,000"),
            ("CP-20", "Circulation pump, 20 l/min", "9.80", "80,000"),
            ("CP-35", "Circulation pump, 35 l/min", "12.60", "30,000"),
            ("CB-4", "Control board, four channels", "17.35", "100,000"),
            ("CB-8", "Control board, eight channels", "26.90", "25,000"),
            ("HX-7", "Heat exchanger, type 7", "33.40", "12,000"),
        ),
    ),
    "rebates": TableSpec(
        "Table 3: Volume rebate",
        (("Turnover in the Contract Year (EUR)", 0.6, "left"), ("Rebate", 0.4, "right")),
        (
            ("up to 5,000,000", "none"),
            ("above 5,000,000 and up to 7,500,000", "1.5 %"),
            ("above 7,500,000", "2.5 %"),
        ),
    ),
    "levels": TableSpec(
        "Table 4: Service Levels and credits",
        (
            ("Service Level", 0.3, "left"),
            ("Measure", 0.38, "left"),
            ("Target", 0.14, "right"),
            ("Credit if missed", 0.18, "right"),
        ),
        (
            ("On-time delivery", "Order lines delivered on the agreed day", "98.0 %", "3.0 %"),
            ("Complete delivery", "Order lines delivered in full", "97.0 %", "2.0 %"),
            ("Ordering system availability", "Minutes available, maintenance excluded", "99.5 %", "1.0 %"),
            ("Order confirmation", "Orders confirmed within two Business Days", "96.0 %", "0.5 %"),
            ("Complaint closure", "Complaints closed within the period in Schedule 3", "95.0 %", "1.5 %"),
        ),
    ),
}
