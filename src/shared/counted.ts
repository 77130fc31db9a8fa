/** `1,234`, the same on the server and in every browser. */
export function grouped(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** `1 subscriber`, `1,234 subscribers` */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`
}
