#!/bin/sh
# Uploads the changed files in an export directory to object storage:
#   sh deploy/upload-to-s3.sh /srv/feeds s3://BUCKET
# Requires `aws` and `jq`. See docs/static.md.
set -eu

if [ $# -ne 2 ]; then
  echo 'Usage: upload-to-s3.sh DIRECTORY s3://BUCKET' >&2
  exit 1
fi
cd "$1"
bucket=${2%/}
uploads=$(jq -r '.[] | [.file, .key, .contentType, .cacheControl] | @tsv' headers.json)

# Records the start time, so that the next run uploads files that change during this one.
touch .feedhouse/uploading
# Stops at the first failure, so that no uploaded file refers to a missing one.
printf '%s\n' "$uploads" | while IFS='	' read -r file key type cache; do
  [ ! -e .feedhouse/uploaded ] || [ "$file" -nt .feedhouse/uploaded ] || continue
  aws s3 cp "$file" "$bucket/$key" --content-type "$type" --cache-control "$cache" </dev/null
done
mv .feedhouse/uploading .feedhouse/uploaded
