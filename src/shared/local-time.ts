const two = (part: number) => String(part).padStart(2, '0')

/** `2026-11-20` in the time zone of this process. */
export const localDay = (time: Date) =>
  [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')

/** `2026-11-20 14:05` in the time zone of this process. */
export const localTime = (time: Date) =>
  `${localDay(time)} ${two(time.getHours())}:${two(time.getMinutes())}`
