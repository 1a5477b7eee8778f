import { tag } from '../../core/names/chain.ts';
import { EastReader } from '../../core/names/east.ts';
import { addEastFeatures } from '../../core/names/east-features.ts';
import { LatinReader } from '../../core/names/latin.ts';
import { addPlaceFeatures, addWordFeatures } from '../../core/names/latin-features.ts';
import { languages } from '../../core/names/lexicon.ts';
import { Features } from '../../core/names/model.ts';

/** A text with its names. */
export type LabelledText = {
  readonly source: string;
  readonly lang: string;
  readonly text: string;
  readonly names: readonly (readonly [number, number])[];
};

/** A growable column of numbers. */
export class Column {
  data = new Int32Array(1 << 20);
  length = 0;

  push(value: number): void {
    if (this.length === this.data.length) {
      const wider = new Int32Array(this.data.length * 2);
      wider.set(this.data);
      this.data = wider;
    }
    this.data[this.length++] = value;
  }
}

/** Chains of units with their features and true tags, in columns. */
export class Examples {
  /** Start of each chain's units; one more entry than chains. */
  readonly chains = new Column();
  /** Start of each unit's features; one more entry than units. */
  readonly units = new Column();
  readonly tags = new Column();
  /** Number of each unit's features that describe the word itself; they come first. */
  readonly wordFeatures = new Column();
  readonly features = new Column();
  /** Source number of each chain. */
  readonly source = new Column();

  get chainCount(): number {
    return this.chains.length;
  }

  addChain(source: number): void {
    this.chains.push(this.units.length);
    this.source.push(source);
  }

  addUnit(features: Features, unitTag: number, wordFeatures: number): void {
    this.units.push(this.features.length);
    this.tags.push(unitTag);
    this.wordFeatures.push(wordFeatures);
    for (let at = 0; at < features.count; at++) this.features.push(features.ids[at] as number);
  }

  finish(): void {
    this.chains.push(this.units.length);
    this.units.push(this.features.length);
  }
}

/** The tags of units (begin, inside, end, single), from the index of each unit's name, or -1. */
export function tagsOf(nameOf: readonly number[]): number[] {
  return nameOf.map((name, at) => {
    if (name < 0) return tag.outside;
    const starts = nameOf[at - 1] !== name;
    const ends = nameOf[at + 1] !== name;
    return starts ? (ends ? tag.single : tag.begin) : ends ? tag.end : tag.inside;
  });
}

/** Number of names whose units are all candidates; the first gate misses the others. */
export type Coverage = { names: number; covered: number };

/** Turns texts into examples for the two models. */
export class ExampleBuilder {
  readonly latin = new Examples();
  readonly east = new Examples();
  readonly coverage = new Map<string, Coverage>();
  private readonly latinReader = new LatinReader();
  private readonly eastReader = new EastReader();
  private readonly out = new Features();

  add(labelled: LabelledText, source: number, dropout: number): void {
    const { text, names, lang } = labelled;
    if (text.length > EastReader.unitsMax) return;
    const { latinReader, eastReader, out } = this;
    latinReader.dropout = dropout;
    eastReader.dropout = dropout;
    const hit = new Array<number>(names.length).fill(0);
    const nameAt = (start: number, end: number): number => names.findIndex(([from, to]) => from <= start && end <= to);

    latinReader.read(text, 0, text.length, languages.indexOf(lang) + 1);
    latinReader.chains((first, last) => {
      const nameOf: number[] = [];
      for (let i = first; i <= last; i++) {
        const name = nameAt(latinReader.words.start[i] as number, latinReader.words.end[i] as number);
        nameOf.push(name);
        if (name >= 0) hit[name] = 1;
      }
      const tags = tagsOf(nameOf);
      this.latin.addChain(source);
      for (let i = first; i <= last; i++) {
        out.count = 0;
        addWordFeatures(latinReader, i, out);
        const own = out.count;
        addPlaceFeatures(latinReader, i, first, last, out);
        this.latin.addUnit(out, tags[i - first] as number, own);
      }
    });
    if (latinReader.words.hasEast) {
      eastReader.read(text, 0, text.length);
      eastReader.chains((first, last) => {
        const nameOf: number[] = [];
        for (let i = first; i <= last; i++) {
          const name = nameAt(eastReader.start[i] as number, eastReader.end[i] as number);
          nameOf.push(name);
          if (name >= 0) hit[name] = 1;
        }
        const tags = tagsOf(nameOf);
        this.east.addChain(source);
        for (let i = first; i <= last; i++) {
          out.count = 0;
          addEastFeatures(eastReader, i, first, last, out);
          this.east.addUnit(out, tags[i - first] as number, 0);
        }
      });
    }
    const coverage = this.coverage.get(labelled.source) ?? { names: 0, covered: 0 };
    coverage.names += names.length;
    for (const isHit of hit) coverage.covered += isHit;
    this.coverage.set(labelled.source, coverage);
  }

  finish(): void {
    this.latin.finish();
    this.east.finish();
  }
}
