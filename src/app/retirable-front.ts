import type { Front } from '../http/front/protocol.ts'

/** Wraps a front for a site that replaces another one or may be replaced. */
export function createRetirableFront(
  front: Front,
  name: string,
): Front & { readonly activate: () => void; readonly retireAll: () => void } {
  return { ...front, activate: () => front.remove(name), retireAll: () => front.remove(name) }
}
