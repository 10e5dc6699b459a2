/* Loaded in place of a board whose feed link has ended. */
import { linkPathIn, removeCopies, unregisterWorkers } from './board-storage.js'

const link = linkPathIn(location.pathname)
if (link !== undefined) {
  await unregisterWorkers(link)
  await removeCopies(link)
}
