import { useEffect, useState } from 'react'
import { countdownMessages } from './messages.ts'
import { openingDate } from './opening-date.ts'

/** When the page opens, and how long that is from now. Without script, the date alone. */
export function Countdown() {
  const { VITE_OPENS_AT: at = '', VITE_OPENS_ZONE: zone = '' } = import.meta.env
  const [now, setNow] = useState<number>()
  const [isStill, setStill] = useState(false)

  useEffect(() => {
    setStill(matchMedia('(prefers-reduced-motion: reduce)').matches)
    let timer: ReturnType<typeof setTimeout>
    const tick = () => {
      setNow(Date.now())
      // At the turn of the visitor's own second.
      timer = setTimeout(tick, 1000 - (Date.now() % 1000))
    }
    tick()
    return () => clearTimeout(timer)
  }, [])

  return (
    <div className="countdown">
      <p>
        {countdownMessages.opens}{' '}
        <time dateTime={at}>{openingDate(at, now === undefined ? zone : undefined)}</time>
      </p>
      <p role="timer">
        {now !== undefined && <Left ms={Date.parse(at) - now} isStill={isStill} />}
      </p>
    </div>
  )
}

/** Nothing that moves for who wants it still: then the minutes are the least. */
function Left({ ms, isStill }: { readonly ms: number; readonly isStill: boolean }) {
  if (ms <= 0) return countdownMessages.soon
  const seconds = Math.ceil(ms / 1000)
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ]
  return parts.slice(0, isStill ? 3 : 4).map(([number, unit]) => (
    <span key={unit}>
      {String(number).padStart(2, '0')}
      <small>{unit}</small>
    </span>
  ))
}
