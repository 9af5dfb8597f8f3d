// The rules of the system on the table, and which one is being read.
import type { RuleCard } from '../api-types';
import * as rest from './rest';
import { messageOf } from './words';

class Rulebook {
  system = $state('');
  rules = $state.raw<RuleCard[]>([]);
  trouble = $state('');
  /** The rule asked for; empty for the whole book; undefined when the book is shut. */
  asked = $state<string>();

  async use(system: string): Promise<void> {
    if (this.system === system && this.rules.length) return;
    this.system = system;
    try {
      this.rules = await rest.rules(system);
      this.trouble = '';
    } catch (error) {
      this.trouble = messageOf(error);
    }
  }

  open(rule = ''): void {
    this.asked = rule;
    // a book that could not be fetched is asked for again
    if (this.system && !this.rules.length) void this.use(this.system);
  }

  shut(): void {
    this.asked = undefined;
  }

  find(words: string): RuleCard[] {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    if (!wanted.length) return this.rules;
    return this.rules.filter((rule) => {
      const text = `${rule.id} ${rule.title} ${rule.text} ${rule.section}`.toLowerCase();
      return wanted.every((word) => text.includes(word));
    });
  }
}

export const rulebook = new Rulebook();
