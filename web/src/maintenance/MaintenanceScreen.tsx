// The maintenance area begins with its templates (A 2.13).
import { Navigate } from 'react-router';

export default function MaintenanceScreen() {
  return <Navigate to="/reload/jasperi" replace />;
}
