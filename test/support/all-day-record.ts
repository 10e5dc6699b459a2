/** Creates an all-day event or booking. */
export const allDayRecord = (id: number, startDate: string, endDate: string, status = 2) => ({
  id,
  title: 't',
  status,
  startDate,
  endDate,
  allDay: 1,
})
