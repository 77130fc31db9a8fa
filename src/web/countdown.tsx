import { useEffect, useState } from 'react'
import { serverNow } from '../client/server-clock.ts'
import type { CountdownWords } from '../words/page-words.ts'
import { openingDate } from './opening-date.ts'

/**
 * When the page opens, and how long that is from now, by the server's clock, which opens it. Without
 * script, the date alone.
 */
export function Countdown({ words }: { readonly words: CountdownWords }) {
  const { VITE_OPENS_AT: at = '', VITE_OPENS_ZONE: zone = '' } = import.meta.env
  const [now, setNow] = useState<number>()
  const [isStill, setStill] = useState(false)

  useEffect(() => {
    setStill(matchMedia('(prefers-reduced-motion: reduce)').matches)
    let timer: ReturnType<typeof setTimeout>
    const tick = () => {
      const time = serverNow()
      setNow(time)
      // At the turn of a second.
      timer = setTimeout(tick, 1000 - ((time ?? Date.now()) % 1000))
    }
    tick()
    return () => clearTimeout(timer)
  }, [])

  const [before, after] = words.opens.split('{time}')
  const inZone = now === undefined ? zone : undefined
  return (
    <div className="countdown">
      <p>
        <span>{before}</span>
        {/* Another element for another text: from right to left, one of another width would move. */}
        <time key={inZone} dateTime={at}>
          {openingDate(at, words.locale, inZone)}
        </time>
        <span>{after}</span>
      </p>
      <p role="timer">
        {now !== undefined && <Left ms={Date.parse(at) - now} isStill={isStill} words={words} />}
      </p>
    </div>
  )
}

interface LeftProps {
  readonly ms: number
  readonly isStill: boolean
  readonly words: CountdownWords
}

/** With reduced motion, the countdown shows no seconds. */
function Left({ ms, isStill, words }: LeftProps) {
  if (ms <= 0) return <span>{words.soon}</span>
  const seconds = Math.ceil(ms / 1000)
  const parts = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ]
  return words.units.slice(0, isStill ? 3 : 4).map((unit, index) => (
    <span key={unit}>
      <span>{String(parts[index]).padStart(2, '0')}</span>
      <small>{unit}</small>
    </span>
  ))
}
