import { spokenInBoth } from '../../shared/zoned-time.ts'
import { isOpen, type Opening } from '../../store/opening.ts'

/** Which page is up, and since or until when. */
export function openingInWords(opening: Opening | undefined, now: Date): string {
  if (!opening) return 'coming soon'
  const { url, at, zone, openedAt } = opening
  if (isOpen(opening, now))
    return `open since ${spokenInBoth(openedAt ?? at, zone)}: leads to ${url}`
  return `coming soon, opens ${spokenInBoth(at, zone)}: will lead to ${url}`
}
