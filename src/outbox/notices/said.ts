/** `22 November, 09:00 GMT+1` */
export function when(time: unknown, zone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: zone, day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' },
    timeZoneName: 'short',
  })
  return format.format(new Date(String(time))).replace(' at ', ', ')
}
