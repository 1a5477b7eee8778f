export { type PieceDetector, type RagChunk, type RagIngestResult, ragIngest, ragResolve } from './ingest.ts';
