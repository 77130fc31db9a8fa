import type { ButtonHTMLAttributes } from 'react'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `main`: at most one a page; `danger`: cannot be undone. */
  readonly kind?: 'main' | 'quiet' | 'danger' | undefined
}

export function Button({ kind = 'quiet', type = 'submit', ...others }: ButtonProps) {
  return <button {...others} type={type} className="button" data-kind={kind} />
}

/** A link that looks like a button. */
export function ButtonLink(props: {
  readonly href: string
  readonly kind?: 'main' | 'quiet'
  readonly children: React.ReactNode
}) {
  const { kind = 'quiet', ...others } = props
  return <a {...others} className="button" data-kind={kind} />
}
