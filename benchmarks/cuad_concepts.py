"""Which concept of dictionaries/contracts.toml each of CUAD's 41 categories is, and what its question asks for."""

from __future__ import annotations

# Category of CUAD v1 (labels.json) to concept; the two affiliate licences differ only in whose affiliates they are.
CUAD_CONCEPTS: dict[str, str] = {
    "Document Name": "document_name",
    "Parties": "parties",
    "Agreement Date": "agreement_date",
    "Effective Date": "effective_date",
    "Expiration Date": "expiration_date",
    "Renewal Term": "renewal_term",
    "Notice Period to Terminate Renewal": "notice_period_to_terminate_renewal",
    "Governing Law": "governing_law",
    "Most Favored Nation": "most_favored_nation",
    "Competitive Restriction Exception": "competitive_restriction_exception",
    "Non-Compete": "non_compete",
    "Exclusivity": "exclusivity",
    "No-Solicit of Customers": "no_solicit_of_customers",
    "No-Solicit of Employees": "no_solicit_of_employees",
    "Non-Disparagement": "non_disparagement",
    "Termination for Convenience": "termination_for_convenience",
    "Rofr/Rofo/Rofn": "right_of_first_refusal",
    "Change of Control": "change_of_control",
    "Anti-Assignment": "assignment",
    "Revenue/Profit Sharing": "revenue_profit_sharing",
    "Price Restrictions": "price_restrictions",
    "Minimum Commitment": "minimum_commitment",
    "Volume Restriction": "volume_restriction",
    "IP Ownership Assignment": "ip_ownership",
    "Joint IP Ownership": "joint_ip_ownership",
    "License Grant": "license_grant",
    "Non-Transferable License": "non_transferable_license",
    "Affiliate License-Licensor": "affiliate_license",
    "Affiliate License-Licensee": "affiliate_license",
    "Unlimited/All-You-Can-Eat-License": "unlimited_license",
    "Irrevocable or Perpetual License": "irrevocable_license",
    "Source Code Escrow": "source_code_escrow",
    "Post-Termination Services": "post_termination_services",
    "Audit Rights": "audit_rights",
    "Uncapped Liability": "uncapped_liability",
    "Cap on Liability": "liability_cap",
    "Liquidated Damages": "liquidated_damages",
    "Warranty Duration": "warranty_duration",
    "Insurance": "insurance",
    "Covenant Not to Sue": "covenant_not_to_sue",
    "Third Party Beneficiary": "third_party_beneficiary",
}

# What the dataset's own question asks for, where it is not answered yes or no: (answer type, answer shape).
CUAD_ANSWERS: dict[str, tuple[str, str]] = {
    "Document Name": ("text", "single"),
    "Parties": ("party", "listing"),
    "Agreement Date": ("date", "single"),
    "Effective Date": ("date", "single"),
    "Expiration Date": ("date", "single"),
    "Renewal Term": ("duration", "single"),
    "Notice Period to Terminate Renewal": ("duration", "single"),
    "Governing Law": ("text", "single"),
    "Competitive Restriction Exception": ("text", "listing"),  # put as a sentence: "... the exceptions or carveouts"
    "Warranty Duration": ("duration", "single"),
}
YES_NO = ("boolean", "single")
