#!/bin/sh
# Makes the certificates of the TLS tests anew: a CA, a server for loopback, a client. They protect nothing and end in a hundred years.
set -eu
cd "$(dirname "$0")"
days=36500
openssl ecparam -name prime256v1 -genkey -noout -out ca-key.pem
openssl req -x509 -new -key ca-key.pem -days $days -subj '/CN=test CA' -out ca.pem
issue() { # name, subject, extensions
  openssl ecparam -name prime256v1 -genkey -noout -out "$1-key.pem"
  openssl req -new -key "$1-key.pem" -subj "$2" -out "$1.csr"
  printf '%s\n' "$3" > "$1.ext"
  openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca-key.pem -CAcreateserial -days $days -extfile "$1.ext" -out "$1.pem"
  rm "$1.csr" "$1.ext"
}
issue server '/CN=localhost' 'subjectAltName=DNS:localhost,IP:127.0.0.1
extendedKeyUsage=serverAuth,clientAuth'
issue client '/CN=client' 'extendedKeyUsage=clientAuth'
rm -f ca-key.pem ca.srl
