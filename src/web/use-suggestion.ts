import { type RefObject, useState } from 'react'
import { emailRule } from './use-subscribe.ts'

/** The domain that was meant where one was mistyped; empty for none. */
export function useSuggestion(input: RefObject<HTMLInputElement | null>) {
  const [domain, suggest] = useState('')

  async function show() {
    const rule = await emailRule()
    suggest(rule?.suggestDomain(input.current?.value ?? '') ?? '')
  }

  function take() {
    suggest('')
    if (!input.current) return
    input.current.value = input.current.value.replace(/[^@＠]*$/, domain)
    input.current.focus()
  }

  return { domain, show, take }
}
