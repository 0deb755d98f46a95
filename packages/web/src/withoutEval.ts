import { config } from 'zod';

// The page allows no code from text. Zod would find out by trying, and V8 reads the whole file of scripts again to say
// where the refusal happened. Imported before anything that makes a schema.
config({ jitless: true });
