import { systemClock } from '../clock.ts'
import { acceptHeld, keepHolding } from '../collections/copy/stored-collections.ts'
import { createCatalog, standardCatalog } from '../feeds/catalog.ts'
import { commandConfig, currentDatabases, openPresentStore, siteOption } from './chosen-site.ts'
import { defineCommand, flag } from './command.ts'
import { UsageError } from './user-errors.ts'

export const command = defineCommand({
  options: { json: flag('print one JSON line'), ...siteOption },
  help: (list) => `Usage: npx feedhouse collections accept NAME
       npx feedhouse collections hold NAME

Decides what to do with a collection that Feedhouse holds back because most of its records disappeared
from the website. accept publishes the remaining records; use it if the others were really deleted.
hold keeps publishing the last good copy until the records return or you accept the loss. A running
service applies your decision within seconds.

NAME is one of: ${standardCatalog.keptResources.join(', ')};
or a database in DATABASE_FEEDS, like databases/2

${list()}`,
  takesOperands: true,
  async run({ values, operands, print }, context) {
    const [decision, name = '', ...more] = operands
    if ((decision !== 'accept' && decision !== 'hold') || more.length > 0) {
      throw new UsageError('Usage: npx feedhouse collections accept|hold NAME; see --help.')
    }
    const config = commandConfig(values, context)
    await using store = await openPresentStore(config, context)
    const { keptResources } = createCatalog(await currentDatabases(store.documents, config))
    const resource = keptResources.find((known) => known === name)
    if (!resource) throw new UsageError(`NAME must be one of: ${keptResources.join(', ')}.`)
    if (decision === 'accept') {
      const accepted = await acceptHeld(store.documents, resource, { now: systemClock.now() })
      if (!accepted.ok) throw notDone(name, accepted.reason, 'accept')
      const { records } = accepted
      const text = `Accepted: ${name} is published with the ${records} records that the website has now.`
      return print({ name, records }, text)
    }
    const kept = await keepHolding(store.documents, resource)
    if (!kept.ok) throw notDone(name, kept.reason, 'keep holding')
    const text = `${name} stays held until its records return or you accept the loss.`
    print({ name, isHeldByRequest: true }, text)
  },
})

function notDone(name: string, reason: string, decision: string): UsageError {
  return new UsageError(
    reason === 'not held'
      ? `${name} is not held, so there is nothing to ${decision}.`
      : `The running service stored ${name} at the same time, so nothing was changed. Please try again.`,
  )
}
