import { boardItem, type BoardItem } from '../../src/signage/board-item.ts'

/** Creates an item of an evening's agenda. */
export const item = (change: Partial<BoardItem>): BoardItem =>
  boardItem({
    id: 'events-1',
    kind: 'events',
    role: 'agenda',
    title: 'Drill',
    when: '',
    start: '2026-03-05T19:00:00',
    end: '2026-03-05T21:00:00',
    ...change,
  })
