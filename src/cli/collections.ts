import { parseArgs } from 'node:util'
import { systemClock } from '../clock.ts'
import { acceptHeld } from '../collections/copy/accept-held.ts'
import { keepHolding } from '../collections/copy/keep-holding.ts'
import { createCatalog, standardCatalog } from '../feeds/catalog.ts'
import type { FeedResource } from '../records/resources.ts'
import type { Documents } from '../store/store.ts'
import type { Command } from './command.ts'
import { commandConfig, siteOption } from './command-config.ts'
import { openPresentStore } from './configured-store.ts'
import { UsageError } from './user-errors.ts'

const help = `Usage: npx feedhouse collections accept NAME
       npx feedhouse collections hold NAME

Decides what to do with a collection that Feedhouse holds back because most of its records disappeared
from the website. accept publishes the remaining records; use it if the others were really deleted.
hold keeps publishing the last good copy until the records return or you accept the loss. A running
service applies your decision within seconds.

NAME is one of: ${standardCatalog.keptResources.join(', ')};
or a database in DATABASE_FEEDS, like databases/2

  --json       print one JSON line
  --site NAME  name of the site, if SITES_FILE lists several
`

const run: Command['run'] = async (args, context) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { ...siteOption, json: { type: 'boolean' } },
  })
  const [command, name = '', ...more] = positionals
  if ((command !== 'accept' && command !== 'hold') || more.length > 0) {
    throw new UsageError('Usage: collections accept|hold NAME; see --help.')
  }
  const config = commandConfig(values, context)
  const { keptResources } = createCatalog(config.site?.databases)
  const resource = keptResources.find((known) => known === name)
  if (!resource) throw new UsageError(`NAME must be one of: ${keptResources.join(', ')}.`)
  await using store = await openPresentStore(config, context.stderr)
  const decide = command === 'accept' ? accept : hold
  const { json, sentence } = await decide(store.documents, resource)
  context.stdout.write(`${values.json ? JSON.stringify(json) : sentence}\n`)
}

async function accept(documents: Documents, name: FeedResource) {
  const result = await acceptHeld(documents, name, { now: systemClock.now() })
  if (!result.ok) {
    const notHeld = `${name} is not held, so there is nothing to accept.`
    throw new UsageError(result.reason === 'not held' ? notHeld : tryAgain(name))
  }
  const { records } = result
  const sentence = `Accepted: ${name} is published with the ${records} records that the website has now.`
  return { json: { name, records }, sentence }
}

async function hold(documents: Documents, name: FeedResource) {
  const result = await keepHolding(documents, name)
  if (!result.ok) {
    const notHeld = `${name} is not held, so there is nothing to keep holding.`
    throw new UsageError(result.reason === 'not held' ? notHeld : tryAgain(name))
  }
  const sentence = `${name} stays held until its records return or you accept the loss.`
  return { json: { name, isHeldByRequest: true }, sentence }
}

function tryAgain(name: FeedResource): string {
  return `The running service stored ${name} at the same time, so nothing was changed. Please try again.`
}

export const collectionsCommand: Command = { help, run }
