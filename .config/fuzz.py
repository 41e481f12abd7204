"""Calls every operation that the API describes with made-up data, as each of the demo's accounts, and holds the answers against the
description: none is a fault of the server, none is undescribed. Usage: fuzz.py SCHEMATHESIS SITE DESCRIPTION [option of schemathesis...]"""

import json
import subprocess
import sys
import urllib.request

# The administrator comes last: made-up changes of workers and roles may take the others away.
ACCOUNTS = ["sestra", "lekar2", "lekar", "admin"]

# They end the session that calls, or the site's connections for a while.
LEFT_OUT = "logout|password|sessions|/api/socket|maintenance"
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


def token(site, account):
    body = json.dumps({"username": account, "password": account}).encode()
    call = urllib.request.Request(f"{site}/api/login", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(call) as answer:
        return json.load(answer)["ulogovaniRadnik"]["token"]


def main(schemathesis, site, description, *options):
    failed = []
    for account in ACCOUNTS:
        print(f"\n===== {account} =====", flush=True)
        command = [schemathesis, "run", description, "--url", site, "--checks", CHECKS, "--exclude-path-regex", LEFT_OUT]
        command += ["--continue-on-failure", "--request-timeout", "15", "--no-color", "-H", f"Authorization: Regix {token(site, account)}"]
        if subprocess.run([*command, *options]).returncode:
            failed.append(account)
    if failed:
        sys.exit(f"answers that the API does not describe, as {', '.join(failed)}")


main(*sys.argv[1:])
