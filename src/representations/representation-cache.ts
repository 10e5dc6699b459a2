import type { Collection } from '../collections/collection.ts'
import { sizeOf, type Representation } from './representation.ts'
import type { Making } from './render-queue.ts'
import type { Target } from './target.ts'

/** What a slot takes beside the bytes of its representation. */
const slotBytes = 4 * 1024

/** The place of a target's representation. */
export type Slot = {
  readonly target: Target
  /** Whether it is kept, and made anew, also when nobody asks. */
  isPinned: boolean
  /** When somebody last asked. Milliseconds since the epoch. */
  usedAt: number
  made: Made | undefined
  making: Making | undefined
  /** When it could not be made, and of what. */
  failed:
    | { readonly at: number; readonly ledger: Collection['ledger']; readonly inARow: number }
    | undefined
}

export type Made = {
  readonly representation: Representation
  /** Of the collection that it was made of: another state of it has another ledger. */
  readonly ledger: Collection['ledger']
  /** Milliseconds since the epoch; `validUntil` is infinite where the clock changes nothing. */
  readonly madeAt: number
  readonly validUntil: number
}

/** The representations that are kept, bounded by their bytes. */
export type Shelf = {
  readonly slots: () => Iterable<Slot>
  readonly find: (name: string) => Slot | undefined
  readonly slotFor: (target: Target) => Slot
  /** Keeps these, and no others, whoever asks for them. */
  readonly pin: (targets: readonly Target[]) => void
  /** Makes room for it, where needed, by what was not asked for the longest. */
  readonly put: (slot: Slot, made: Made) => void
  readonly forget: (slot: Slot) => void
  readonly bytes: () => number
}

/** With options there are more than can be kept; those used last are, within `maxBytes`. */
export function createShelf(maxBytes: number): Shelf {
  const slots = new Map<string, Slot>()
  let bytes = 0

  function add(target: Target): Slot {
    const slot: Slot = {
      ...{ target, isPinned: false, usedAt: -Infinity },
      ...{ made: undefined, making: undefined, failed: undefined },
    }
    slots.set(target.name, slot)
    bytes += slotBytes
    return slot
  }

  const slotFor = (target: Target) => slots.get(target.name) ?? add(target)

  function forget(slot: Slot): void {
    if (!slots.delete(slot.target.name)) return
    bytes -= slotBytes + bytesOf(slot)
  }

  function makeRoom(newest: Slot): void {
    if (bytes <= maxBytes) return
    const oldestFirst = [...slots.values()]
      .filter((slot) => !slot.isPinned && !slot.making && slot !== newest)
      .sort((a, b) => a.usedAt - b.usedAt)
    for (const slot of oldestFirst) {
      if (bytes <= maxBytes) return
      forget(slot)
    }
  }

  return {
    slots: () => slots.values(),
    find: (name) => slots.get(name),
    slotFor,
    pin(targets) {
      const pinned = new Set(targets.map(slotFor))
      for (const slot of slots.values()) slot.isPinned = pinned.has(slot)
    },
    put(slot, made) {
      const sizeBefore = bytesOf(slot)
      slot.made = made
      // Whoever waits for it gets it, also when it was forgotten while it was made.
      if (slots.get(slot.target.name) !== slot) return
      bytes += bytesOf(slot) - sizeBefore
      makeRoom(slot)
    },
    forget,
    bytes: () => bytes,
  }
}

function bytesOf({ made }: Slot): number {
  return made ? sizeOf(made.representation) : 0
}
