import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Response to a recipient, or to the email itself. Several lines have the same code. */
type Refusal = { readonly to: string; readonly code: number; readonly lines: readonly string[] }

const refusal = (to: string, code: number, ...lines: readonly string[]): Refusal => ({
  to: `${to}@example.net`,
  code,
  lines,
})

/** Responses of mail services to addresses that do not exist, with their status codes. */
export const deadAddresses = [
  refusal('gone', 550, '5.1.1 <gone@example.net>: Recipient address rejected: User unknown'),
  refusal(
    'gmail',
    550,
    '5.1.1 The email account that you tried to reach does not exist. Please try',
    "5.1.1 double-checking the recipient's email address for typos or",
    '5.1.1 unnecessary spaces. - gsmtp',
  ),
  refusal('exchange', 550, '5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found'),
  refusal('edge', 550, '5.4.1 Recipient address rejected: Access denied.'),
  refusal(
    'inactive',
    550,
    '5.2.1 The email account that you tried to reach is inactive. Learn more',
    '5.2.1 at https://support.example.net/inactive - gsmtp',
  ),
  refusal('moved', 551, '5.1.6 Recipient no longer on server'),
  refusal('domain', 550, '5.1.2 Bad destination system: no such domain'),
  refusal('qmail', 553, 'sorry, no mailbox here by that name. (#5.1.1)'),
]

/** Responses for other reasons. */
export const otherRefusals = [
  refusal('full', 552, '5.2.2 <full@example.net>: Mailbox is full'),
  refusal('blocked', 550, '5.7.1 Message refused by policy'),
  refusal('bare', 550, 'No such user here'),
  refusal('listed', 550, 'Mail from 192.0.2.1 is blocked, see https://blocked.example.net/'),
  refusal('later', 450, '4.2.0 Greylisted, try again later'),
]

export const refusals = [...deadAddresses, ...otherRefusals]

/** Token of the unsubscribe URL in the returned emails. */
export const returnedToken = 'a2'.repeat(32)

/** Returns the bounces in a file that record.sh has made, with the recipients of the emails. */
export function recordedBounces(server: string) {
  const mailbox = readFileSync(join(import.meta.dirname, `${server}.mbox`), 'utf8')
  return mailbox
    .split(/^From .*\n/m)
    .slice(1)
    .map((text) => ({ recipient: /^To: (?!<?news@)(\S+)/m.exec(text)?.[1] ?? '', text }))
}
