import { say, translated } from './say.ts'

/** `1,234`, the same on the server and in every browser. */
export function grouped(count: number): string {
  return localized(String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ','))
}

/** `1 subscriber`, `1,234 subscribers` */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${translated(count === 1 ? noun : plural)}`
}

/** `40 %`, `11.6 %`; a share above zero is never shown as zero. @param share in percent. */
export function percent(share: number): string {
  if (share > 0 && share < 0.1) return localized('< 0.1 %')
  return `${share < 100 ? localized(String(Number(share.toFixed(1)))) : grouped(share)} %`
}

/** A number in English, with the signs of the language that is spoken. */
export const localized = (number: string) =>
  number.replace(/[.,]/g, (sign) => say(sign as '.' | ','))
