"""Text of the sample amendment, in the markup that `press.py` sets."""

AMENDMENT = """
This Amendment No. 1 (the "Amendment") is made on 16~June~2025 between **Alpha Components Limited**, a company
registered in Ireland with its registered office at 1~Example Quay, Dublin 2 (the "Supplier"), and **Beta Appliances
Limited**, a company registered in Ireland with its registered office at 20~Sample Street, Cork (the "Buyer").

# Background

- (A) The Supplier and the Buyer are parties to a master supply agreement with the reference MSA-2024-017, which took
effect on 1~March~2024 (the "Agreement").

- (B) The volume of business has grown beyond the plan on which the Agreement was based, and the Buyer has asked for
more time to qualify a second source in the event of non-renewal.

- (C) In accordance with Section 15.2 of the Agreement, the Parties wish to amend the Agreement as set out below.

# 1. Interpretation

## 1.1 Defined terms

Terms that are defined in Section 1.1 of the Agreement have the same meaning in this Amendment.

## 1.2 Amendment Effective Date

This Amendment takes effect on 1~July~2025 (the "Amendment Effective Date"). It does not apply to claims that arose
before that date.

# 2. Amendments to the Agreement

## 2.1 Liability cap

Section 7.2 (Liability cap) of the Agreement is deleted and replaced by the following:

- "Subject to Section 7.1, the total aggregate liability of either Party arising out of or in connection with this
Agreement, whether in contract, tort (including negligence) or otherwise, shall not exceed EUR~4,000,000 per Contract
Year."

## 2.2 Renewal

Section 2.2 (Renewal) of the Agreement is deleted and replaced by the following:

- "On expiry of the Initial Term this Agreement is renewed for successive periods of one (1) year each, unless either
Party gives the other written notice of non-renewal at least one hundred and twenty (120) days before the end of the
Initial Term or of the renewal period then running."

# 3. Effect of this Amendment

## 3.1 Precedence

In case of conflict between this Amendment and the Agreement, this Amendment prevails.

## 3.2 Remaining provisions

Except as expressly amended by Article 2, all provisions of the Agreement remain unchanged and in full force and
effect. In particular, the limit of the insurance in Section 7.4.1 of the Agreement and the period of notice in
Section 13.2 of the Agreement are not affected.

## 3.3 References

From the Amendment Effective Date, each reference to the Agreement, in the Agreement itself or in an Order, is a
reference to the Agreement as amended by this Amendment.

# 4. General

## 4.1 Confidentiality

The existence and the content of this Amendment are Confidential Information of both Parties.

## 4.2 Costs

Each Party bears its own costs of preparing and signing this Amendment.

## 4.3 Counterparts

This Amendment may be signed in any number of counterparts, including by qualified electronic signature, each of which
is an original and all of which together are one instrument.

## 4.4 Governing law

Sections 16.1 to 16.3 of the Agreement (governing law and disputes) apply to this Amendment.

[[page]]

# Signature page

The Parties have signed this Amendment on the dates stated below.

[[signatures]]
"""
