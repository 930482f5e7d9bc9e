#!/bin/bash
# Sends one request for each of USERS users, each with its own cookies: visit.sh NAME USERS URL
mkdir -p "jars-$1"
for user in $(seq "$2"); do
  curl -s -b "jars-$1/$user" -c "jars-$1/$user" "$3"
done
