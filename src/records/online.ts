/** Returns true if the website shows a record. Records without a status, like bookings, always count. */
export function isOnline(record: {
  /** Every record has one; TypeScript rejects a type with only optional properties. */
  readonly id: number
  readonly status?: string
  readonly deployed?: boolean
}): boolean {
  return (record.status ?? 'online') === 'online' && (record.deployed ?? true)
}
