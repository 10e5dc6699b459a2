import type { FeedResource } from '../../records/resources.ts'
import { diskFullError } from '../../store/data-directory.ts'
import { StoreError } from '../../store/store-error.ts'
import { adviceFor } from '../../upstream/advice.ts'
import { startingSentence, type StatusOptions } from './status-sentences.ts'
import { statusFrom, type CollectionStatus, type Status } from './status.ts'

const privateSentences = {
  ok: [],
  starting: [startingSentence('records that are not public')],
  failing: [
    'Something that is not public needs attention: sign in to the admin page, or look at the log.',
  ],
}

/** Returns a failure of the store without its path or host name. */
export function publicStoreFailure({ kind }: StoreError): StoreError {
  return kind === 'disk full'
    ? diskFullError()
    : new StoreError(kind, 'The store is currently unavailable.')
}

/** Returns the status without private resources, paths or host names. */
export function publicStatusFrom(
  options: StatusOptions,
  resources: readonly FeedResource[],
): Status {
  const { ok, state } = statusFrom(options)
  const shown = statusFrom({
    ...options,
    collections: options.collections.filter(({ resource }) => resources.includes(resource)),
    storeFailure: options.storeFailure && publicStoreFailure(options.storeFailure),
  })
  return {
    ...shown,
    ok,
    state,
    sentences: shown.state === state ? shown.sentences : privateSentences[state],
    collections: shown.collections.map(({ failure, ...collection }) => ({
      ...collection,
      failure: failure && { ...failure, message: plainMessage(failure) },
    })),
  }
}

/** Returns a message without host names. */
function plainMessage({ kind, message }: NonNullable<CollectionStatus['failure']>): string {
  return kind === 'unforeseen' ? message : adviceFor({ kind })
}
