#!/bin/sh
# Uploads a directory that `export` has written to object storage, and what has changed alone:
#   sh deploy/upload-to-s3.sh /srv/feeds s3://BUCKET
# `aws` and `jq` must be installed. docs/static.md says more.
set -eu

if [ $# -ne 2 ]; then
  echo 'The command is: upload-to-s3.sh DIRECTORY s3://BUCKET' >&2
  exit 1
fi
cd "$1"
bucket=${2%/}
uploads=$(jq -r '.[] | [.file, .key, .contentType, .cacheControl] | @tsv' headers.json)

# The time is taken first: what changes during the upload is uploaded again the next time.
touch .feedhouse/uploading
# A failed upload ends it all, so that nothing names what is not there.
printf '%s\n' "$uploads" | while IFS='	' read -r file key type cache; do
  [ ! -e .feedhouse/uploaded ] || [ "$file" -nt .feedhouse/uploaded ] || continue
  aws s3 cp "$file" "$bucket/$key" --content-type "$type" --cache-control "$cache" </dev/null
done
mv .feedhouse/uploading .feedhouse/uploaded
