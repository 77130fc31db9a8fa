import { grouped } from '../../shared/counted.ts'

/** `11.6 %`; a share above zero is never shown as zero. */
export function percent(share: number): string {
  if (share > 0 && share < 0.1) return '< 0.1 %'
  return share < 100 ? `${share.toFixed(1)} %` : `${grouped(share)} %`
}

/** For a figure in a narrow place: `980`, `1.2k`, `45k`, `1.3M`. */
export function short(count: number): string {
  if (count < 1000) return String(count)
  const [unit, size] = count < 999_500 ? ['k', 1000] : ['M', 1_000_000]
  const digits = count / size < 9.95 ? 1 : 0
  return `${(count / size).toFixed(digits).replace(/\.0$/, '')}${unit}`
}
