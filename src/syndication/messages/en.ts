import { pluralIn } from '../../records/messages.ts'

const plural = pluralIn('en')

export type ItemMessages = typeof english

type Link = (text: string) => string

/** Text of items in feed readers. Times and days are already formatted. */
export const english = {
  untitled: 'Untitled',
  unnamedFile: 'File',
  labeled: (label: string, text: string) => `${label}: ${text}`,
  until: (time: string) => `Until ${time}`,
  contact: 'Contact',
  document: {
    meeting: (day: string) => `Meeting on ${day}`,
    openFiles: (files: number, link: Link) =>
      plural(files, {
        one: `Open this file on the ${link('website')}.`,
        other: `Open these files on the ${link('website')}.`,
      }),
    bytes: (size: number) => `${size} bytes`,
    kilobytes: (size: number) => `${Math.round(size)} KB`,
    megabytes: (size: number) => `${size.toFixed(1)} MB`,
  },
  forum: {
    /** `replies` is undefined if the website does not provide it. */
    lastPost(replies: number | undefined, time: string) {
      if (replies === undefined) return `Last post on ${time}`
      if (replies === 0) return `No replies yet, last post on ${time}`
      return plural(replies, {
        one: `${replies} reply, last post on ${time}`,
        other: `${replies} replies, last post on ${time}`,
      })
    },
    locked: 'The topic is locked.',
    read: (link: Link) => `Read the topic on the ${link('website')}.`,
    follow: (option: string) =>
      `To follow the replies, add ${option} to the address of the forum’s feed.`,
  },
  guestbook: {
    website: 'Website',
    email: 'Email',
    status: 'Status',
    pending: 'Pending',
    offline: 'Offline',
  },
  story: {
    watchVideo: 'Watch the video',
    listen: 'Listen to the recording',
    address: 'Address:',
    units: 'Units:',
    mutualAid: 'Mutual aid:',
  },
  certification: {
    expires: (name: string, day: string) => `${name} expires on ${day}`,
    expired: (name: string, day: string) => `${name} expired on ${day}`,
    issued: (day: string) => `Issued on ${day}.`,
    number: (number: string) => `Certificate number: ${number}.`,
  },
  /** Fields of the form on the page `/feeds`. */
  options: {
    featured: { label: 'Stories', byDefault: 'all', others: { 1: 'only featured ones' } },
    content: { label: 'Content', byDefault: 'full text', others: { summary: 'a short summary' } },
  },
  course: {
    open: (title: string, link: Link) => `Open “${title}” on the ${link('website')}.`,
    hours: (hours: number) =>
      plural(hours, { one: `${hours} hour of training.`, other: `${hours} hours of training.` }),
    graded: 'Graded.',
    passScore: (percent: number) => `Graded: ${percent}% to pass.`,
    notGraded: 'Not graded.',
    attempts: (most: number) =>
      plural(most, { one: 'At most one attempt.', other: `At most ${most} attempts.` }),
    anyAttempts: 'Any number of attempts.',
  },
}
