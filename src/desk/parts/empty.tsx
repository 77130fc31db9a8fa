import type { ReactNode } from 'react'

/** What stands where nothing is yet: what will be here, and what to do for it. */
export function Empty(props: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <p className="empty-title">{props.title}</p>
      {props.children && <div className="empty-more">{props.children}</div>}
    </div>
  )
}
