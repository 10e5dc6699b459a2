import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { programIsMissing } from '../../support/programs.ts'
import { readMail, valuesOf } from '../../support/read-mail.ts'
import { startThunderbird } from './thunderbird.ts'

const start = promisify(execFile)

/** Starting rss2email takes a second, and longer on a busy machine. */
export const readerTimeoutMs = 180_000

/** An item as a reader shows it. */
export type KeptItem = { readonly title: string; readonly link: string }

export type FeedReader = {
  /** Requests the feed once. */
  readonly poll: () => Promise<unknown>
  readonly items: () => readonly KeptItem[]
}

const keptItem = (title: string, link: string): KeptItem => ({ title, link: new URL(link).href })

/** Runs a program whose home is this directory. */
function runIn(directory: string, program: string, args: readonly string[]) {
  const { PATH } = process.env
  return start(program, args, { cwd: directory, env: { PATH, HOME: directory, LANG: 'C.UTF-8' } })
}

/** Updates the items that it knows in place. Does not process responses that are not newer. */
function newsboat(directory: string, url: string): FeedReader {
  const [urls, cache] = [join(directory, 'urls'), join(directory, 'cache.db')]
  writeFileSync(urls, `${url}\n`)
  return {
    poll: () => runIn(directory, 'newsboat', ['-u', urls, '-c', cache, '-x', 'reload']),
    items() {
      using store = new DatabaseSync(cache, { readOnly: true })
      const kept = store.prepare('SELECT title, url FROM rss_item').all()
      return kept.map(({ title, url: link }) => keptItem(String(title), String(link)))
    },
  }
}

/** Sends each item once, by its id. */
function rss2email(directory: string, url: string): FeedReader {
  const configuration = join(directory, 'rss2email.cfg')
  const files = ['-c', configuration, '-d', join(directory, 'rss2email.json')]
  const mailbox = join(directory, 'Maildir')
  const settings = `email-protocol = maildir\nmaildir-path = ${directory}\nmaildir-mailbox = Maildir`
  writeFileSync(configuration, `[DEFAULT]\nto = reader@example.net\n${settings}\n`)
  const added = runIn(directory, 'r2e', [...files, 'add', 'feed', url])
  return {
    async poll() {
      await added
      await runIn(directory, 'r2e', [...files, 'run'])
    },
    items() {
      const received = join(mailbox, 'new')
      return (existsSync(received) ? readdirSync(received) : []).map((name) => {
        const mail = readMail(readFileSync(join(received, name), 'utf8'))
        const [title = ''] = valuesOf(mail, 'subject')
        const [link = ''] = valuesOf(mail, 'x-rss-url')
        return keptItem(title, link)
      })
    },
  }
}

/** Keeps a line for each title and link. */
function sfeed(directory: string, url: string): FeedReader {
  const configuration = join(directory, 'sfeedrc')
  writeFileSync(configuration, `sfeedpath='${directory}/feeds'\nfeeds() { feed feed '${url}'; }\n`)
  mkdirSync(join(directory, 'feeds'), { recursive: true })
  return {
    poll: () => runIn(directory, 'sfeed_update', [configuration]),
    items: () =>
      readFileSync(join(directory, 'feeds', 'feed'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => {
          const [, title = '', link = ''] = line.split('\t')
          return keptItem(title, link)
        }),
  }
}

/** Runs a command of Thunderbird, and waits until a feed is done. */
const thunderbirdScript = (command: string) => `
  const [url, done] = arguments
  const { FeedUtils } = ChromeUtils.importESModule('resource:///modules/FeedUtils.sys.mjs')
  const { progressNotifier } = FeedUtils
  const { downloaded } = progressNotifier
  progressNotifier.downloaded = (...result) => {
    progressNotifier.downloaded = downloaded
    progressNotifier.downloaded(...result)
    done()
  }
  ${command}`

const subscribe = thunderbirdScript('FeedUtils.subscribeToFeed(url)')
const getMessages = thunderbirdScript(
  'FeedUtils.downloadFeed(FeedUtils.getAllRssServerRootFolders()[0], null, false, null)',
)

/** Stores each item once, by its id. Sends no ETag, so it depends on `Last-Modified`. */
function thunderbird(directory: string, url: string): FeedReader {
  const started = startThunderbird(directory)
  let command = subscribe
  return {
    async poll() {
      const run = await started
      await run(command, [url])
      command = getMessages
    },
    items() {
      const account = join(directory, 'Mail', 'Feeds')
      // Each folder has an index, even without any messages.
      const folders = readdirSync(account).filter((name) =>
        existsSync(join(account, `${name}.msf`)),
      )
      const messages = folders.flatMap((name) =>
        readFileSync(join(account, name), 'utf8')
          .split(/^From .*\r\n/m)
          .slice(1),
      )
      return messages.map((message) => {
        const item = readMail(message)
        const [title = ''] = valuesOf(item, 'subject')
        const [link = ''] = valuesOf(item, 'content-base')
        return keptItem(title, link)
      })
    },
  }
}

export const feedReaders = [
  { name: 'newsboat', isMissing: programIsMissing('newsboat'), create: newsboat },
  { name: 'rss2email', isMissing: programIsMissing('r2e'), create: rss2email },
  { name: 'sfeed', isMissing: programIsMissing('sfeed_update'), create: sfeed },
  { name: 'Thunderbird', isMissing: programIsMissing('thunderbird'), create: thunderbird },
] as const
