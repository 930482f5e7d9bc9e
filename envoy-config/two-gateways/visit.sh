#!/bin/bash
# A request of each of so many users, each with the cookies that are his own: visit.sh NAME USERS URL
mkdir -p "jars-$1"
for user in $(seq "$2"); do
  curl -s -b "jars-$1/$user" -c "jars-$1/$user" "$3"
done
