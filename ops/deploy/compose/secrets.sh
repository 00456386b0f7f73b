#!/bin/sh
# Makes the secrets of compose.yaml in the folder `secrets`, once: a file that exists stays as it is.
# The files can be read by the users of the containers; the folder lets no other user of this machine reach them.
set -eu
cd "$(dirname "$0")/../../.."
mkdir -p secrets
chmod 700 secrets

make() {
  [ -e "secrets/$1" ] || printf '%s' "$2" > "secrets/$1"
  chmod 444 "secrets/$1"
}
random() { openssl rand -hex 32; }

for name in owner_password service_password signer_password key_pepper master_key integrity_key signer_passphrase; do
  make "$name" "$(random)"
done
# The network `database` of Compose is internal, so nothing else hears these connections.
make database_direct_url "postgres://daric_owner:$(cat secrets/owner_password)@postgres/daric?sslmode=disable"
make database_url "postgres://daric:$(cat secrets/service_password)@postgres/daric?sslmode=disable"
make signer_database_url "postgres://daric_signer:$(cat secrets/signer_password)@postgres/daric?sslmode=disable"
[ -e secrets/account_xpub ] || echo "secrets/account_xpub is missing: write the xpub of your seed into it" >&2
