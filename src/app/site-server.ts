import type { Front, FrontFigures, WorkerExit } from '../front/protocol.ts'
import type { Rejections } from '../front/rejections.ts'
import type { ReadingGuard } from '../upstream/guarded-connection.ts'

export type SiteServer = {
  readonly front: Front
  readonly exits: readonly WorkerExit[]
  /** Returns the latest figures of the front process, or undefined if there is none. */
  readonly frontFigures: () => FrontFigures | undefined
  /** Returns a site's guard, which pauses the site if earlier workers exited while reading it. */
  readonly readingGuardFor: (site: string) => ReadingGuard
  readonly rejections: Rejections
  readonly isStopping: () => boolean
}
