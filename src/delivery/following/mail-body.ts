import type { Identity } from '../../feeds/identity.ts'
import { escapeHtml } from '../../text/html.ts'
import { plainTextWithLinks } from '../../text/plain-text.ts'
import { layout, linkHtml } from './mail-html.ts'
import { followTexts } from './message-texts.ts'
import type { FollowMessage, FollowUrls } from './messages.ts'

/**
 * Gmail clips HTML of more than about 102,000 bytes as sent, and with it the unsubscribe link at the
 * end.
 */
const maxContentBytes = 90_000

/** Quoted-printable text is sent in lines of at least this many bytes, except for the last one. */
const minLineBytes = 73

/** Uses the colors and font size of the mail app. */
const style = `:root { color-scheme: light dark; supported-color-schemes: light dark }
h1 { font-size: 1.4em; line-height: 1.25 }
h2 { font-size: 1.2em; margin: 1.5em 0 .5em }
h3 { font-size: 1em; margin: 1em 0 .25em }
ul { margin: 0; padding-left: 1.25em }
li { margin: .4em 0 }`

const font = 'font-family:Arial,Helvetica,sans-serif;line-height:1.5'

/** Content id of the logo (RFC 2392). */
export const logoId = 'logo'

/** The site that an email is from. */
export type MailSite = {
  readonly name: string
  readonly publicUrl: string
  readonly identity: Identity
}

/** Returns both parts of an email, without remote content. */
export function mailBody(
  message: FollowMessage,
  urls: FollowUrls,
  options: {
    readonly site: MailSite
    readonly postalAddress: string | undefined
    /** True if the logo is attached. */
    readonly hasLogo?: boolean
  },
): { readonly html: string; readonly text: string } {
  const { language, title } = message
  const { site, postalAddress, hasLogo = false } = options
  const { accent, onAccent } = site.identity.colors.brand
  const texts = followTexts(language)
  const content = boundedContent(message.html, message.url, texts.rest)
  const mail = boundedContent(message.mail ?? message.html, message.url, texts.rest)
  const isFollower = message.kind !== 'confirm' && message.kind !== 'invite'
  const { confirmReason, inviteReason } = texts.footer
  const reasons = { confirm: confirmReason, invite: inviteReason }
  const reason = (isFollower ? texts.footer.reason : reasons[message.kind])(site.name)
  const links = !isFollower
    ? []
    : ([
        [texts.footer.manage, urls.manage],
        [texts.footer.end, urls.end],
      ] as const)
  const sender = postalAddress ?? ''
  const paragraphs = [
    escapeHtml(reason),
    links.map(([text, url]) => linkHtml(url, text)).join('<br>'),
    escapeHtml(sender),
  ]
  const html = `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>
${style}
</style>
</head>
<body style="margin:0;padding:0">
<table ${layout} width="100%"><tr><td align="center">
<table ${layout} width="600" style="width:100%;max-width:600px">
<tr><td align="left" bgcolor="${accent}" style="padding:12px 16px">
<table ${layout}><tr>
${hasLogo ? `<td width="64" valign="middle"><img src="cid:${logoId}" width="48" height="48" alt="" style="display:block;border-radius:8px"></td>` : ''}
<td valign="middle" style="${font};color:${onAccent};font-size:18px"><b>${escapeHtml(site.name)}</b></td>
</tr></table>
</td></tr>
<tr><td align="left" style="${font};padding:8px 16px;overflow-wrap:break-word">
<h1>${escapeHtml(title)}</h1>
${mail}
</td></tr>
<tr><td align="left" style="${font};padding:8px 16px;border-top:1px solid;font-size:14px">
${paragraphs
  .filter((text) => text !== '')
  .map((text) => `<p>${text}</p>`)
  .join('\n')}
</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
  const footer = [reason, ...links.map(([text, url]) => `${text}:\n${url}`), sender]
  const text = [title, plainText(content, site), '-- ', ...footer]
  return { html, text: `${text.filter((part) => part !== '').join('\n\n')}\n` }
}

/** Returns plain text, with the URL of each link on the next line. */
function plainText(html: string, { publicUrl }: { readonly publicUrl: string }): string {
  const below = html.replaceAll(
    /<a [^<>]*?href="([^"]*)"[^<>]*>([^<]*)<\/a>(.*?)(?=<\/(?:li|p)>)/g,
    '$2$3<br><a href="$1">$1</a>',
  )
  return plainTextWithLinks(below, publicUrl).replaceAll(/\n{3,}/g, '\n\n')
}

/**
 * Cuts off content that is too long after the last list item or table that fits, and adds a link to
 * the rest.
 */
function boundedContent(html: string, url: string, rest: string): string {
  const bytes = Buffer.from(html)
  const fitting = fittingBytes(bytes)
  if (fitting === bytes.length) return html
  const cut = bytes.subarray(0, fitting).toString()
  const after = (end: string) => cut.lastIndexOf(end) + end.length
  const [item, table] = [after('</li>\n'), after('</table>\n')]
  const more = `<p>${linkHtml(url, rest)}</p>`
  return item > table ? `${cut.slice(0, item)}</ul>\n${more}` : `${cut.slice(0, table)}${more}`
}

/** Returns the number of bytes that fit into an email as quoted-printable text (RFC 2045 6.7). */
function fittingBytes(bytes: Buffer): number {
  let sent = 0
  for (const [count, byte] of bytes.entries()) {
    const isLiteral = byte === 10 || (byte >= 32 && byte < 127 && byte !== 61)
    sent += (isLiteral ? 1 : 3) * (1 + 3 / minLineBytes)
    if (sent > maxContentBytes) return count
  }
  return bytes.length
}
