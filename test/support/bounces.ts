type Bounce = {
  readonly recipient: string
  /** Token of the unsubscribe link in the returned email. */
  readonly token: string
  readonly status?: string
  readonly action?: string
}

const lines = (...text: readonly string[]) => text.join('\r\n')

function returned({ recipient, token }: Bounce): string {
  return lines(
    'From: Cedar Hollow <news@example.org>',
    `To: ${recipient}`,
    'Subject: This week',
    'Message-ID: <weekly-1-2@example.org>',
    'List-Unsubscribe:',
    ` <https://feeds.example.org/follow/end/${token}>`,
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    '',
    '',
  )
}

function report(
  subject: string,
  parts: readonly (readonly [type: string, content: string])[],
): string {
  return lines(
    'Return-Path: <>',
    'From: Mail Delivery System <mailer-daemon@mail.example.org>',
    'To: news@example.org',
    `Subject: ${subject}`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    ...parts.flatMap(([type, content]) => ['--b', `Content-Type: ${type}`, '', content]),
    '--b--',
    '',
  )
}

/** Bounces as mail servers write them. */
export const bouncesOf = {
  postfix: (bounce: Bounce) =>
    report('Undelivered Mail Returned to Sender', [
      ['text/plain; charset=us-ascii', 'This is the mail system at host mail.example.org.'],
      [
        'message/delivery-status',
        lines(
          'Reporting-MTA: dns; mail.example.org',
          'X-Postfix-Queue-ID: 4A1B2C3D',
          'Arrival-Date: Sun,  8 Mar 2026 18:00:00 -0400 (EDT)',
          '',
          `Final-Recipient: rfc822; ${bounce.recipient}`,
          'Original-Recipient: rfc822;someone@elsewhere.example',
          `Action: ${bounce.action ?? 'failed'}`,
          `Status: ${bounce.status ?? '5.1.1'}`,
          'Remote-MTA: dns; mx.example.net',
          `Diagnostic-Code: smtp; 550 5.1.1 <${bounce.recipient}>: Recipient address`,
          '    rejected: User unknown',
          '',
        ),
      ],
      ['message/rfc822', `${returned(bounce)}The week`],
    ]),
  gmail: (bounce: Bounce) =>
    report('Delivery Status Notification (Failure)', [
      [
        'multipart/related; boundary="c"',
        lines('--c', 'Content-Type: text/html', '', '<p>', '--c--'),
      ],
      [
        'message/delivery-status',
        lines(
          'Reporting-MTA: dns; googlemail.com',
          'Arrival-Date: Sun, 08 Mar 2026 15:00:00 -0700 (PDT)',
          '',
          `Final-Recipient: rfc822; ${bounce.recipient}`,
          `Action: ${bounce.action ?? 'failed'}`,
          `Status: ${bounce.status ?? '5.1.1'}`,
          'Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist.',
          '',
        ),
      ],
      ['message/rfc822', returned(bounce)],
    ]),
  exchange: (bounce: Bounce) =>
    report('=?utf-8?Q?Unzustellbar:_Diese_Woche?=', [
      ['text/plain; charset="utf-8"', 'Ihre Nachricht konnte nicht zugestellt werden.'],
      [
        'message/delivery-status',
        lines(
          'Reporting-MTA: dns;AM0PR01.eurprd01.prod.outlook.example',
          '',
          `Final-Recipient: rfc822;${bounce.recipient.toUpperCase()}`,
          `Action: ${bounce.action ?? 'failed'}`,
          `Status: ${bounce.status ?? '5.1.10'}`,
          'Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; nicht gefunden',
          'X-Display-Name: N. N.',
          '',
        ),
      ],
      ['text/rfc822-headers', returned(bounce)],
    ]),
}

/** An automatic reply that quotes the email with its link. */
export function automaticReply({ recipient, token }: Bounce): string {
  return lines(
    `From: ${recipient}`,
    'To: news@example.org',
    'Subject: Abwesend: Diese Woche',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Final-Recipient: rfc822; x@example.org',
    'Action: failed',
    'Status: 5.1.1',
    '',
    `> https://feeds.example.org/follow/end/${token}`,
    '',
  )
}
