import { z } from 'zod'
import * as field from './fields.ts'

/** `text` may contain HTML. An announcement without `expires` never expires. */
export const announcementSchema = z.object({
  id: field.id,
  headline: field.text,
  text: field.text,
  status: field.status,
  expires: field.expiry,
  ...field.history,
})

export const publicEventSchema = z.object({
  id: field.id,
  title: field.text,
  status: field.status,
  location: field.text,
  contact: field.text,
  text: field.text,
  ...field.schedule,
  ...field.history,
})

/** An event from the members' area, in one of the site's calendars. */
export const calendarEventSchema = publicEventSchema.extend({
  calendarId: field.id,
  calendar: field.text,
})

const forumPost = {
  id: field.id,
  title: field.text,
  status: field.oneOf({ 1: 'online', 2: 'offline', 3: 'locked' }),
  locked: field.flag,
  created: field.optionalDateTime,
  createdBy: field.text,
  lastPost: field.optionalDateTime,
}

export const forumTopicSchema = z.object({ ...forumPost, replyCount: field.optionalNumber })

export const forumReplySchema = z.object({ ...forumPost, text: field.text })

export const guestbookEntrySchema = z.object({
  id: field.id,
  created: field.requiredDateTime,
  status: field.status,
  name: field.text,
  email: field.text,
  rank: field.text,
  location: field.text,
  website: field.text,
  text: field.text,
})

/** An active member on the roster, without phone numbers and addresses, which only contacts need. */
export const memberSchema = z.object({
  id: field.id,
  firstName: field.text,
  middleInitial: field.text,
  lastName: field.text,
  rank: field.text,
})

/** An active member with contact data, which is only read for links that include the members. */
export const memberContactSchema = memberSchema.extend({
  phone1: field.text,
  phone1Type: field.text,
  phone2: field.text,
  phone2Type: field.text,
  phone3: field.text,
  phone3Type: field.text,
  email: field.text,
  address1: field.text,
  address2: field.text,
  city: field.text,
  state: field.text,
  zip: field.text,
})

const filed = {
  title: field.text,
  text: field.text,
  status: field.status,
  public: field.flag,
  categoryId: field.optionalNumber,
  category: field.text,
  ...field.history,
  files: field.listOf(
    z.object({
      id: field.id,
      fileName: field.text,
      extension: field.text,
      fileSize: field.optionalNumber,
    }),
  ),
}

/** `text` may contain HTML; documents with `public` set are visible on the public website. */
export const documentSchema = z.object({ id: field.id, ...filed })

export const meetingMinutesSchema = z.object({
  id: field.id,
  meetingDate: field.requiredDate,
  ...filed,
})

export const newsStorySchema = z.object({
  id: field.id,
  date: field.requiredDateTime,
  headline: field.text,
  deployed: field.flag,
  author: field.text,
  text: field.text,
  address: field.text,
  units: field.text,
  mutualAid: field.text,
  featured: field.flag,
  categoryId: field.optionalNumber,
  category: field.text,
  ...field.history,
  links: field.listOf(z.object({ text: field.text, url: field.text })),
  images: field.listOf(
    z.object({
      id: field.id,
      url: field.text,
      caption: field.text,
      width: field.optionalNumber,
      height: field.optionalNumber,
      fileSize: field.optionalNumber,
      front: field.flag,
    }),
  ),
  attachments: field.listOf(
    z.object({
      id: field.id,
      fileName: field.text,
      url: field.text,
      extension: field.text,
      fileSize: field.optionalNumber,
      posted: field.optionalDateTime,
    }),
  ),
  videos: field.listOf(
    z.object({ id: field.id, embedCode: field.text, posted: field.optionalDateTime }),
  ),
})

/** A booking for one of the site's rental types. All fields except type and times are personal. */
export const rentalBookingSchema = z.object({
  id: field.id,
  typeId: field.optionalNumber,
  type: field.text,
  ...field.schedule,
  renter: field.text,
  renterPhone: field.text,
  details: field.text,
})
