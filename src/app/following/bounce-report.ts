/** Report that an email bounced or was delayed (RFC 3464). */
export type BounceReport = {
  /** The part with the type `message/delivery-status`. */
  readonly status: string
  /** The returned email or its headers, possibly truncated. */
  readonly returned: string
}

export type FailedRecipient = {
  readonly address: string
  /** Status code like `5.1.1` (RFC 3463). */
  readonly status: string
}

/**
 * Returns the token in the unsubscribe URL of the returned email. Only people who have the
 * email know the token, and they could also unsubscribe.
 */
export function endTokenIn({ returned }: BounceReport): string | undefined {
  return /\/follow\/end\/([a-z2-7]{64})(?![a-z2-7])/.exec(unfolded(returned))?.[1]
}

/** Returns the recipients to whom delivery has failed permanently. */
export function failedRecipients({ status }: BounceReport): readonly FailedRecipient[] {
  const groups = unfolded(status, ' ').split(/\n(?:[ \t\r]*\n)+/)
  return groups.flatMap((fields) => {
    const [, code] = /^Status:[ \t]*(5\.\d{1,3}\.\d{1,3})\b/im.exec(fields) ?? []
    const [, address] = /^Final-Recipient:.*?;[ \t]*<?([^\s<>]+)/im.exec(fields) ?? []
    const isFailed = /^Action:[ \t]*failed\b/im.test(fields)
    return isFailed && code !== undefined && address !== undefined ? { address, status: code } : []
  })
}

const unfolded = (fields: string, space = '') => fields.replaceAll(/\r?\n[ \t]+/g, space)
