import { partColor, partColors } from '../calendar/color.ts'

/**
 * Returns the name of an entry's color on pages. Each of the members' calendars has the same
 * color as on boards.
 */
export function sourceOf(feedId: string, color: string): string {
  const number = partColors.indexOf(color) + 1
  return feedId === 'calendar' && number > 1 ? `calendar${number}` : feedId
}

export const sourceOfPart = (feedId: string, id: number): string => sourceOf(feedId, partColor(id))
