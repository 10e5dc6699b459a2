/** An all-day event or booking, of which only the days matter. */
export const happening = (id: number, startDate: string, endDate: string, status = 2) => ({
  id,
  title: 't',
  status,
  startDate,
  endDate,
  allDay: 1,
})
