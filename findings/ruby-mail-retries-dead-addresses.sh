#!/usr/bin/env bash
# A delivery status notification can report several recipients, each with a status (RFC 3464, 2.3), and
# 5 as its first digit means that another try will not help (RFC 3463, 2). For more than one recipient,
# ruby-mail 2.7.1+dfsg1-2 (Debian 12) compares a list of statuses with a string. So retryable? is true
# even if all recipients have failed for good. For one recipient, it is right.
#
# Output:
#   5.1.1: bounced, not retryable
#   4.2.2: bounced, retryable
#   5.1.1 and 5.1.1: bounced, retryable
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq ruby-mail=2.7.1+dfsg1-2 ruby-mini-mime=1.1.1-2 ruby3.1=3.1.* libruby3.1=3.1.* \
  libyaml-0-2=0.2.5-1 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
ruby=root/usr/lib/ruby
libraries=$directory/root/usr/lib/x86_64-linux-gnu
paths=("$ruby/vendor_ruby" "$ruby/3.1.0" "$libraries/ruby/3.1.0" "$ruby"/gems/3.1.0/gems/net-*/lib \
  root/usr/share/rubygems-integration/all/gems/*/lib)

cat >read.rb <<'RUBY'
require 'mail'
[%w[5.1.1], %w[4.2.2], %w[5.1.1 5.1.1]].each do |statuses|
  recipients = statuses.each_with_index.map do |status, index|
    "Final-Recipient: rfc822; reader#{index}@example.net\r\nAction: failed\r\nStatus: #{status}\r\n\r\n"
  end
  mail = Mail.new(<<~MESSAGE.gsub(/\r?\n/, "\r\n"))
    From: MAILER-DAEMON@mx.example.net
    To: news@example.org
    Subject: Undelivered
    MIME-Version: 1.0
    Content-Type: multipart/report; report-type=delivery-status; boundary="parts"

    --parts
    Content-Type: text/plain

    The message was not delivered.

    --parts
    Content-Type: message/delivery-status

    Reporting-MTA: dns; mx.example.net

    #{recipients.join.strip}

    --parts
    Content-Type: text/rfc822-headers

    Subject: News

    --parts--
  MESSAGE
  bounced = mail.bounced? ? 'bounced' : 'not bounced'
  puts "#{statuses.join(' and ')}: #{bounced}, #{mail.retryable? ? 'retryable' : 'not retryable'}"
end
RUBY
LD_LIBRARY_PATH=$libraries RUBYOPT='' root/usr/bin/ruby3.1 --disable-gems "${paths[@]/#/-I}" read.rb | tee output

diff output - <<'OUTPUT'
5.1.1: bounced, not retryable
4.2.2: bounced, retryable
5.1.1 and 5.1.1: bounced, retryable
OUTPUT
