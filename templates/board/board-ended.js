/* Deletes stored boards. Loaded on the page shown when a board's feed link has ended. */
import { linkPathIn, removeCopies, unregisterWorkers } from './board-storage.js'

const link = linkPathIn(location.pathname)
if (link !== undefined) {
  void unregisterWorkers(link).then(() => removeCopies(link))
}
