import { parseArgs } from 'node:util'
import { acceptHeld } from '../collections/accept-held.ts'
import { systemClock } from '../clock.ts'
import { feedResources, type FeedResource } from '../records/resources.ts'
import type { Command } from './command.ts'
import { commandConfig, siteOption } from './command-config.ts'
import { openPresentStore } from './configured-store.ts'
import { UsageError } from './plain-fault.ts'

const help = `Usage: npx node src/main.ts collections accept NAME

Publishes a collection that is held because the website's answer lacks most of what was there
before. Do so when the records are really gone. A running service publishes it within seconds.

NAME is one of: ${feedResources.join(', ')}

  --json       prints one JSON line
  --site NAME  which site, where SITES_FILE has several
`

const run: Command['run'] = async (args, context) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { ...siteOption, json: { type: 'boolean' } },
  })
  const [command, name = '', ...more] = positionals
  if (command !== 'accept' || more.length > 0) {
    throw new UsageError('The command is: collections accept NAME; see --help.')
  }
  if (!isFeedResource(name)) {
    throw new UsageError(`NAME must be one of: ${feedResources.join(', ')}.`)
  }
  await using store = await openPresentStore(commandConfig(values, context), context.stderr)
  const { isAccepted, records } = await acceptHeld(store.documents, name, systemClock.now())
  if (!isAccepted) throw new UsageError(`${name} is not held; there is nothing to accept.`)
  context.stdout.write(
    values.json
      ? `${JSON.stringify({ name, records })}\n`
      : `${name} is published with the ${records} records that the website has.\n`,
  )
}

export const collectionsCommand: Command = { help, run }

function isFeedResource(name: string): name is FeedResource {
  return (feedResources as readonly string[]).includes(name)
}
