import { z } from 'zod'
import * as field from './fields.ts'

/** `text` may contain HTML. An announcement without `expires` never expires. */
export const announcementSchema = z.object({
  id: field.id,
  ...field.texts('headline', 'text'),
  status: field.status,
  expires: field.expiry,
  ...field.history,
})

export const publicEventSchema = z.object({
  id: field.id,
  title: field.text,
  status: field.status,
  ...field.texts('location', 'contact', 'text'),
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
  ...field.texts('name', 'email', 'rank', 'location', 'website', 'text'),
})

/** An active member on the roster, without phone numbers and addresses, which only contacts need. */
export const memberSchema = z.object({
  id: field.id,
  ...field.texts('firstName', 'middleInitial', 'lastName', 'rank'),
})

/** An active member with contact data, which is only read for links that include the members. */
export const memberContactSchema = memberSchema.extend({
  ...field.texts('phone1', 'phone1Type', 'phone2', 'phone2Type', 'phone3', 'phone3Type'),
  ...field.texts('email', 'address1', 'address2', 'city', 'state', 'zip'),
})

const filed = {
  ...field.texts('title', 'text'),
  status: field.status,
  public: field.flag,
  categoryId: field.optionalNumber,
  category: field.text,
  ...field.history,
  files: field.listOf(
    z.object({
      id: field.id,
      ...field.texts('fileName', 'extension'),
      fileSize: field.optionalNumber,
    }),
  ),
}

/** `text` may contain HTML. Documents with `public` set are visible on the public website. */
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
  ...field.texts('author', 'text', 'address', 'units', 'mutualAid'),
  featured: field.flag,
  categoryId: field.optionalNumber,
  category: field.text,
  ...field.history,
  links: field.listOf(z.object({ text: field.text, url: field.text })),
  images: field.listOf(
    z.object({
      id: field.id,
      ...field.texts('url', 'caption'),
      width: field.optionalNumber,
      height: field.optionalNumber,
      fileSize: field.optionalNumber,
      front: field.flag,
    }),
  ),
  attachments: field.listOf(
    z.object({
      id: field.id,
      ...field.texts('fileName', 'url', 'extension'),
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
  ...field.texts('renter', 'renterPhone', 'details'),
})
