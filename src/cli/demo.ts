import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../config/environment.ts'
import { standardCatalog } from '../feeds/catalog.ts'
import { training } from '../feeds/catalog/training.ts'
import { startMailbox } from '../sandbox/mailbox.ts'
import { openDataDirectory } from '../store/data-directory.ts'
import { platformIn, type CommandContext } from './command.ts'
import { isTerminal } from './output.ts'

const linkOf = (label: string, profile: 'full' | 'members') =>
  ({ label, feedIds: undefined, profile, expiresAt: undefined }) as const

/** A member with a certification who has signed up for several of the sample's next sheets. */
const member = { ...linkOf('A member', 'members'), memberId: 23 }

const officersFeeds = [...standardCatalog.feedsOf(linkOf('', 'full')), training]

/** Links in a demo with an admin page, with their labels in the list of URLs. */
export const demoLinks = [
  ['A member’s link', member],
  ['Feed link (full)', { ...linkOf('Demo', 'full'), feedIds: officersFeeds.map(({ id }) => id) }],
] as const

const demoIdentity = { place: 'Cedar Hollow, NY', color: '#b3261e' }

/** Settings with which a demo does not send emails to its own mailbox. */
const ownMail = ['SMTP_URL', 'SMTP_URL_FILE', 'REDIS_URL'] as const

const moreText = `
To add the admin page, accounts, emails and a member’s link, set a password:
  ADMIN_PASSWORD='correct horse battery' npm start
`

const mailText = '\nEmails are not sent. Their subjects and links appear below.\n'

/** Returns true if no website is configured. */
export function isDemo({ SITE_URL: url, SITES_FILE: file }: Environment): boolean {
  return (url?.trim() ?? '') === '' && (file?.trim() ?? '') === ''
}

/**
 * Returns the demo's settings. With an admin password, the demo also has accounts and emails, and prints the
 * links in the emails if the output is a terminal.
 */
export async function demoSettings(
  environment: Environment,
  running: AsyncDisposableStack,
  { stdout }: Pick<CommandContext, 'stdout'>,
): Promise<Environment> {
  const { ADMIN_PASSWORD: password, ADMIN_PASSWORD_FILE: file, HOST, PORT } = environment
  if (!password && !file) return environment
  const port = PORT?.trim() || '8080'
  const settings = { DAV: 'yes', ...environment }
  const isLocal = ['127.0.0.1', 'localhost'].includes(HOST?.trim() || '127.0.0.1')
  const isOwn = ownMail.some((name) => environment[name]?.trim())
  // Emails have links, so the URL of this computer must be known.
  if (!isLocal || isOwn || port === '0') return settings
  const mailbox = await startMailbox(({ to, subject, link }) => {
    if (isTerminal(stdout)) stdout.write(`Email to ${to}: ${subject}\n  ${link ?? ''}\n`)
  })
  const mail = { SMTP_URL: running.use(mailbox).url, MAIL_FROM: 'news@cedarhollow.example' }
  const publicUrl = environment['PUBLIC_URL']?.trim() || `http://127.0.0.1:${port}`
  return { MAIL_FOLLOW: 'yes', ...settings, ...mail, PUBLIC_URL: publicUrl }
}

/** Starts the demo's website. */
export async function startDemo(
  dataDirectory: string,
  config: {
    readonly language: string | undefined
    readonly adminPassword: string | undefined
    /** True if emails go to the demo's own mailbox. */
    readonly printsEmails: boolean
  },
  running: AsyncDisposableStack,
  { stdout, environment }: CommandContext,
) {
  const { createSandbox } = await import('../sandbox/sandbox.ts')
  const certificateDirectory = openDataDirectory(join(dataDirectory, 'sandbox'))
  const sandbox = running.use(await createSandbox({ certificateDirectory }))
  const { url, caFile, timeZone, siteName: name, projects, manager } = sandbox
  const { language, printsEmails } = config
  const refreshToken = projects[0]?.refreshToken ?? ''
  const caPem = readFileSync(caFile, 'utf8')
  const secretText = isTerminal(stdout)
    ? `${printsEmails ? mailText : ''}\nManage the demo site's API Projects at\n  ${manager.url}  (password ${manager.password})\n`
    : `\nLinks and passwords are shown only in a terminal, because this output may be kept in a log.\nTo create a feed link, run: ${platformIn(environment).command} link add --label Demo --profile full\n`
  return {
    site: { url, caPem, timeZone, language, name, identity: demoIdentity, refreshToken, links: {} },
    title: `the demo: ${name}, a fictional website`,
    feedIds: standardCatalog.feedsOf(linkOf('Demo', 'full')).map(({ id }) => id),
    note: config.adminPassword === undefined ? moreText : secretText,
  }
}
