# ruff: noqa: E501  # payloads stand as they are
"""Sixty texts that some spreadsheet program takes for a formula, a command, a link or markup."""

PAYLOADS = (
    "=1+1", "+1+1", "-1+1", "@SUM(1,1)", "=cmd|'/C calc'!A0", "=HYPERLINK(\"http://x.invalid\",\"open\")",
    "=WEBSERVICE(\"http://x.invalid\")", "=IMPORTXML(\"http://x.invalid\",\"//a\")", "=DDE(\"cmd\",\"/C calc\",\"x\")",
    "=MSEXCEL|'\\..\\..\\Windows\\System32\\cmd.exe /c calc'!''", "\t=1+1", "\r=1+1", "\n=1+1", " =1+1", "\u00a0=1+1",
    "\u200b=1+1", "\ufeff=1+1", "\u3000=1+1", "＝1+1", "＋1+1", "－1+1", "＠SUM(1,1)", "−1+1", "'=1+1", "\"=1+1\"", "=\"a\"&\"b\"",
    "={1,2}", "=A1", "=$A$1:$B$2", "=[1]Sheet1!A1", "='file:///etc/passwd'#$Sheet1.A1", "=INDIRECT(\"A1\")",
    "=RTD(\"x\",,\"y\")", "=CALL(\"kernel32\",\"WinExec\",\"JCJ\",\"calc\",0)", "=REGISTER.ID(\"a\",\"b\")", "=EXEC(\"calc\")",
    "=SUBTOTAL(9,A1:A9)", "=NOW()", "=RAND()", "=LAMBDA(x,x)(1)", "=_xlfn.CONCAT(\"a\")", "_x003D_1+1", "_x000D_=1+1",
    "_x005F_x003D_1", "=\n1+1", "=1+1\n=2+2", "-2+3+cmd|' /C calc'!A0", "+cmd|' /C calc'!D2", "@import", "#REF!", "#N/A",
    "#DIV/0!", "#NAME?", "<f>1+1</f>", "<script>alert(1)</script>", "]]><f>1+1</f>", "&lt;f&gt;", "TRUE", "1e999",
    "=HYPERLINK(\"file:///C:/Windows/System32/calc.exe\")",
)  # fmt: skip
