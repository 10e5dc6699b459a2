import type { Notice } from '../../src/channels/notice.ts'

/** Creates a message that differs from a default one. */
export function noticeWith(changes: Partial<Notice>): Notice {
  return {
    id: 'a1',
    thread: 'records-held-1',
    type: 'alert.opened',
    at: Date.parse('2026-03-05T15:00:00Z'),
    siteName: 'Cedar Hollow, VFD',
    title: 'Problem: Missing records',
    lines: [{ text: 'Most records are missing.' }],
    url: 'https://feeds.example.org/admin/status',
    data: {},
    ...changes,
  }
}
