import { knownPart } from '../records/known-part.ts'
import { readRecords } from '../records/read-records.ts'
import type { RosterReader } from '../site/admin-actions.ts'
import { adviceFor } from '../upstream/advice.ts'
import type { DataService } from '../upstream/data-service.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'

/** Creates a reader of the members and their email addresses, which it does not store. */
export function createRosterReader({ readAll }: DataService): RosterReader {
  return async () => {
    try {
      const { items } = await readAll('members', {}, () => 'person')
      const known = items.map((item) => knownPart('members/contacts', item))
      return { ok: true, value: readRecords('members/contacts', known).records }
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      return { ok: false, fault: `The members could not be read. ${adviceFor(error)}` }
    }
  }
}
