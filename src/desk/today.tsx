import type { TodayPage } from '../shared/desk-pages.ts'

export function Today({ subscribers }: TodayPage) {
  return (
    <>
      <h1 className="visually-hidden">Today</h1>
      <p>
        <span>Subscribers</span> <strong>{subscribers.toLocaleString('en')}</strong>
      </p>
    </>
  )
}
