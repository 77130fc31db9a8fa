import { grouped } from '../../shared/counted.ts'

/** `11.6 %`; a share above zero is never shown as zero. */
export function percent(share: number): string {
  if (share > 0 && share < 0.1) return '< 0.1 %'
  return share < 100 ? `${share.toFixed(1)} %` : `${grouped(share)} %`
}
